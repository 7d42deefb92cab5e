import {
  type CreateTaskBody,
  type Error as ErrorBody,
  type PreparedAction,
  type PrepareTaskSelectionData,
  type TransactionSubmissionBody,
  getTask,
  listTasks,
  prepareNodeAbandonment,
  prepareTaskCreation,
  prepareTaskSelection,
  submitActionSignature,
  uploadArtifact,
} from './generated';
import { createClient } from './generated/client';
import { play, Refusal, type SeenAction } from './journey';

interface Answer<T> {
  data: T | undefined;
  error: ErrorBody | undefined;
  response: Response;
}

function taken<T>({ data, error, response }: Answer<T>): T {
  if (data !== undefined) return data;
  throw new Refusal(response.status, error?.error ?? { code: 'none', reason: 'no body' });
}

function seen({ action_id: id, kind, principal, payload, expires_at }: PreparedAction): SeenAction {
  return { id, kind, principal, payload, expiresAt: new Date(expires_at) };
}

void play((baseUrl, key) => {
  // The client asks for a credential of every scheme; the service accepts one at a time.
  const client = createClient({ baseUrl, auth: ({ type }) => (type === 'apiKey' ? key : undefined) });
  const idempotent = (idempotencyKey: string) => ({ 'Idempotency-Key': idempotencyKey });
  return {
    async listTasks(limit, cursor) {
      const query = cursor === undefined ? { limit } : { limit, cursor };
      const { data, next_page: next } = taken(await listTasks({ client, query }));
      return { ids: data.map(({ id }) => id), next };
    },
    async getTask(task_id) {
      const task = taken(await getTask({ client, path: { task_id } }));
      return { id: task.id, title: task.title, status: task.status, amount: task.budget.amount };
    },
    async prepareTask(brief, idempotencyKey) {
      const body: CreateTaskBody = { brief, budget: { amount: '12.5', currency: 'USDC' }, selection_mode: 'manual' };
      return seen(taken(await prepareTaskCreation({ client, headers: idempotent(idempotencyKey), body })));
    },
    async select(task_id, selection, idempotencyKey) {
      const body: PrepareTaskSelectionData['body'] =
        selection.mode === 'auto' ? { mode: 'auto' } : { mode: 'manual', agent_id: selection.agentId };
      const headers = idempotent(idempotencyKey);
      return seen(taken(await prepareTaskSelection({ client, path: { task_id }, headers, body })));
    },
    async submitTransaction(action_id, transaction_hash, idempotencyKey) {
      const headers = idempotent(idempotencyKey);
      const body: TransactionSubmissionBody = { transaction_hash };
      const action = taken(await submitActionSignature({ client, path: { action_id }, headers, body }));
      return { id: action.action_id };
    },
    async abandon(task_id, node_id, idempotencyKey) {
      const headers = idempotent(idempotencyKey);
      return seen(taken(await prepareNodeAbandonment({ client, path: { task_id, node_id }, headers })));
    },
    async upload(artifact_hash, bytes, idempotencyKey) {
      const body = new Blob([bytes]);
      const headers = idempotent(idempotencyKey);
      const custody = taken(await uploadArtifact({ client, path: { artifact_hash }, headers, body }));
      return { hash: custody.artifact_hash, bytes: custody.bytes };
    },
  };
});
