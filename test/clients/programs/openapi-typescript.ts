import createClient from 'openapi-fetch';
import type { components, paths } from './generated/schema';
import { play, Refusal, type SeenAction } from './journey';

type Schemas = components['schemas'];

interface Answer<T> {
  data?: T;
  error?: Schemas['Error'];
  response: Response;
}

function taken<T>({ data, error, response }: Answer<T>): T {
  if (data !== undefined) return data;
  throw new Refusal(response.status, error?.error ?? { code: 'none', reason: 'no body' });
}

function seen(action: Schemas['PreparedAction']): SeenAction {
  const { action_id: id, kind, principal, payload, expires_at } = action;
  return { id, kind, principal, payload, expiresAt: new Date(expires_at) };
}

void play((baseUrl, key) => {
  const api = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': key } });
  const idempotent = (idempotencyKey: string) => ({ 'Idempotency-Key': idempotencyKey });
  return {
    async listTasks(limit, cursor) {
      const query = cursor === undefined ? { limit } : { limit, cursor };
      const { data, next_page: next } = taken(await api.GET('/v1/tasks', { params: { query } }));
      return { ids: data.map(({ id }) => id), next };
    },
    async getTask(task_id) {
      const task = taken(await api.GET('/v1/tasks/{task_id}', { params: { path: { task_id } } }));
      return { id: task.id, title: task.title, status: task.status, amount: task.budget.amount };
    },
    async prepareTask(brief, idempotencyKey) {
      const body: Schemas['CreateTaskBody'] = {
        brief,
        budget: { amount: '12.5', currency: 'USDC' },
        selection_mode: 'manual',
      };
      const params = { header: idempotent(idempotencyKey) };
      return seen(taken(await api.POST('/v1/task-creation-intents', { params, body })));
    },
    async select(task_id, selection, idempotencyKey) {
      const params = { path: { task_id }, header: idempotent(idempotencyKey) };
      const body: Schemas['ManualSelectionBody'] | Schemas['AutoSelectionBody'] =
        selection.mode === 'auto' ? { mode: 'auto' } : { mode: 'manual', agent_id: selection.agentId };
      return seen(taken(await api.POST('/v1/tasks/{task_id}/selection-intents', { params, body })));
    },
    async submitTransaction(action_id, transaction_hash, idempotencyKey) {
      const params = { path: { action_id }, header: idempotent(idempotencyKey) };
      const body: Schemas['TransactionSubmissionBody'] = { transaction_hash };
      const action = taken(await api.POST('/v1/actions/{action_id}/submissions', { params, body }));
      return { id: action.action_id };
    },
    async abandon(task_id, node_id, idempotencyKey) {
      const params = { path: { task_id, node_id }, header: idempotent(idempotencyKey) };
      return seen(taken(await api.POST('/v1/tasks/{task_id}/nodes/{node_id}/abandon-intents', { params })));
    },
    async upload(artifact_hash, bytes, idempotencyKey) {
      const params = { path: { artifact_hash }, header: idempotent(idempotencyKey) };
      const custody = taken(
        await api.PUT('/v1/artifacts/{artifact_hash}', {
          params,
          // The generated types declare a file as text; the serializer sends the bytes.
          body: '',
          bodySerializer: () => bytes,
          headers: { 'Content-Type': 'application/octet-stream' },
        }),
      );
      return { hash: custody.artifact_hash, bytes: custody.bytes };
    },
  };
});
