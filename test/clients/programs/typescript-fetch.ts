import {
  ActionsApi,
  Configuration,
  type CreateTaskBody,
  DeliveriesApi,
  ModelErrorFromJSON,
  NodesApi,
  type PreparedAction,
  type PrepareTaskSelectionRequest,
  ResponseError,
  TasksApi,
  type TransactionSubmissionBody,
} from './generated';
import { play, Refusal, type SeenAction } from './journey';

async function taken<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    throw new Refusal(error.response.status, ModelErrorFromJSON(await error.response.json()).error);
  }
}

function seen({ actionId: id, kind, principal, payload, expiresAt }: PreparedAction): SeenAction {
  return { id, kind, principal, payload, expiresAt };
}

void play((basePath, apiKey) => {
  const configuration = new Configuration({ basePath, apiKey });
  const tasks = new TasksApi(configuration);
  return {
    async listTasks(limit, cursor) {
      const { data, nextPage: next } = await taken(
        tasks.listTasks(cursor === undefined ? { limit } : { limit, cursor }),
      );
      return { ids: data.map(({ id }) => id), next };
    },
    async getTask(taskId) {
      const task = await taken(tasks.getTask({ taskId }));
      return { id: task.id, title: task.title, status: task.status, amount: task.budget.amount };
    },
    async prepareTask(brief, idempotencyKey) {
      const createTaskBody: CreateTaskBody = {
        brief,
        budget: { amount: '12.5', currency: 'USDC' },
        selectionMode: 'manual',
      };
      return seen(await taken(tasks.prepareTaskCreation({ idempotencyKey, createTaskBody })));
    },
    async select(taskId, selection, idempotencyKey) {
      const prepareTaskSelectionRequest: PrepareTaskSelectionRequest =
        selection.mode === 'auto' ? { mode: 'auto' } : { mode: 'manual', agentId: selection.agentId };
      return seen(await taken(tasks.prepareTaskSelection({ taskId, idempotencyKey, prepareTaskSelectionRequest })));
    },
    async submitTransaction(actionId, transactionHash, idempotencyKey) {
      const submitActionSignatureRequest: TransactionSubmissionBody = { transactionHash };
      const actions = new ActionsApi(configuration);
      const request = { actionId, idempotencyKey, submitActionSignatureRequest };
      return { id: (await taken(actions.submitActionSignature(request))).actionId };
    },
    async abandon(taskId, nodeId, idempotencyKey) {
      const nodes = new NodesApi(configuration);
      return seen(await taken(nodes.prepareNodeAbandonment({ taskId, nodeId, idempotencyKey })));
    },
    async upload(artifactHash, bytes, idempotencyKey) {
      const deliveries = new DeliveriesApi(configuration);
      const custody = await taken(deliveries.uploadArtifact({ artifactHash, idempotencyKey, body: new Blob([bytes]) }));
      return { hash: custody.artifactHash, bytes: custody.bytes };
    },
  };
});
