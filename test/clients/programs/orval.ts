import {
  type CreateTaskBody,
  type Error as ErrorBody,
  type PreparedAction,
  type PrepareTaskSelectionBody,
  type TransactionSubmissionBody,
  getTask,
  listTasks,
  prepareNodeAbandonment,
  prepareTaskCreation,
  prepareTaskSelection,
  submitActionSignature,
} from './generated/market';
import { callAt } from './orval-fetch';
import { play, Refusal, type SeenAction } from './journey';

type Answer<T> = { status: 200; data: T } | { status: number; data: ErrorBody };

function isTaken<T>(answer: Answer<T>): answer is { status: 200; data: T } {
  return answer.status === 200;
}

function taken<T>(answer: Answer<T>): T {
  if (isTaken(answer)) return answer.data;
  throw new Refusal(answer.status, answer.data.error);
}

function seen({ action_id: id, kind, principal, payload, expires_at }: PreparedAction): SeenAction {
  return { id, kind, principal, payload, expiresAt: new Date(expires_at) };
}

// There is no `upload`: orval's functions send every body except text as JSON, even a Blob.
void play((baseUrl, key) => {
  const options = () => {
    callAt(baseUrl);
    return { headers: { 'X-Api-Key': key } };
  };
  const idempotent = (idempotencyKey: string) => ({ 'Idempotency-Key': idempotencyKey });
  return {
    async listTasks(limit, cursor) {
      const query = cursor === undefined ? { limit } : { limit, cursor };
      const { data, next_page: next } = taken(await listTasks(query, undefined, options()));
      return { ids: data.map(({ id }) => id), next };
    },
    async getTask(taskId) {
      const task = taken(await getTask(taskId, undefined, options()));
      return { id: task.id, title: task.title, status: task.status, amount: task.budget.amount };
    },
    async prepareTask(brief, idempotencyKey) {
      const body: CreateTaskBody = { brief, budget: { amount: '12.5', currency: 'USDC' }, selection_mode: 'manual' };
      return seen(taken(await prepareTaskCreation(body, idempotent(idempotencyKey), options())));
    },
    async select(taskId, selection, idempotencyKey) {
      const body: PrepareTaskSelectionBody =
        selection.mode === 'auto' ? { mode: 'auto' } : { mode: 'manual', agent_id: selection.agentId };
      return seen(taken(await prepareTaskSelection(taskId, body, idempotent(idempotencyKey), options())));
    },
    async submitTransaction(actionId, transaction_hash, idempotencyKey) {
      const body: TransactionSubmissionBody = { transaction_hash };
      const action = taken(await submitActionSignature(actionId, body, idempotent(idempotencyKey), options()));
      return { id: action.action_id };
    },
    async abandon(taskId, nodeId, idempotencyKey) {
      return seen(taken(await prepareNodeAbandonment(taskId, nodeId, idempotent(idempotencyKey), options())));
    },
  };
});
