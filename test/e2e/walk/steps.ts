import { newId } from '../../../libs/kernel/src/index.js';
import { bodyOf, type Trader } from './trader.js';

const DAY = 86_400;

export interface OpenTask {
  id: string;
  termsHash: string;
  escrow: string;
  buyer: Trader;
}

/** Decimal USDC as requests have it. */
export function usdc(amount: number | string): { amount: string; currency: 'USDC' } {
  return { amount: typeof amount === 'number' ? amount.toFixed(2) : amount, currency: 'USDC' };
}

/** A task whose creation is signed and on the chain. */
export async function openTask(buyer: Trader, own: Record<string, unknown> = {}): Promise<OpenTask> {
  const body = {
    brief: `Count the words of ${newId('task', Date.now())}.`,
    budget: usdc(1000),
    selection_mode: 'manual',
  };
  const action = await buyer.act('buyer', '/v1/task-creation-intents', { ...body, ...own });
  const task = bodyOf(await buyer.get(`/v1/tasks/${action.task_id}`));
  return { id: task.id, termsHash: task.terms_hash, escrow: task.escrow_address, buyer };
}

/** A signed quote with this many days to work, optionally for a child of a node. @returns the quote's id. */
export async function offer(
  worker: Trader,
  task: OpenTask,
  price: number,
  { days, ...own }: Record<string, unknown> & { days?: number } = {},
): Promise<string> {
  const workSeconds = (days ?? (own['parent_node_id'] === undefined ? 30 : 15)) * DAY;
  const terms = { price: usdc(price), work_seconds: workSeconds, terms_hash: task.termsHash };
  const body = { task_id: task.id, ...terms, ...own };
  await worker.act('worker', '/v1/quotes', body);
  const { data } = bodyOf(await worker.get(`/v1/quotes?task_id=${task.id}`));
  return data[0].id;
}

/** Selects and pays the worker. @returns the id of the root node. */
export async function hire(
  task: OpenTask,
  worker: Trader,
  price: number,
  own: Record<string, unknown> = {},
): Promise<string> {
  await offer(worker, task, price, own);
  const { buyer } = task;
  await buyer.act('buyer', `/v1/tasks/${task.id}/selection-intents`, { mode: 'manual', agent_id: worker.agentId });
  await buyer.act('buyer', `/v1/tasks/${task.id}/funding-intents`);
  return newestNode(task, worker);
}

/** The worker of `parentId` hires `worker` for a child node. @returns the id of the child. */
export async function hireBelow(
  task: OpenTask,
  { hirer, parentId }: { hirer: Trader; parentId: string },
  worker: Trader,
  price: number,
  own: Record<string, unknown> & { days?: number } = {},
): Promise<string> {
  const quoteId = await offer(worker, task, price, { parent_node_id: parentId, ...own });
  const body = { quote_id: quoteId, accept_window_seconds: 259_200 };
  await hirer.act('worker', `/v1/tasks/${task.id}/nodes/${parentId}/subcontract-intents`, body);
  return newestNode(task, worker);
}

/** Uploads and delivers an artifact. */
export async function deliver(
  worker: Trader,
  task: OpenTask,
  nodeId: string,
  text = 'The words are 40,213.',
  own: { pay_out?: boolean } = {},
): Promise<void> {
  const custody = await worker.upload(`${text} ${nodeId}`);
  const { prepared_action: action } = await worker.prepare('worker', '/v1/deliveries', {
    task_id: task.id,
    node_id: nodeId,
    ...custody,
    ...own,
  });
  await worker.relay(await worker.submit('worker', action));
}

/** The path at which the hirer reviews a node; without a node, that of the task, which stands for its root node. */
export function reviewPath(task: OpenTask, nodeId: string | null): string {
  return nodeId === null ? `/v1/tasks/${task.id}` : `/v1/tasks/${task.id}/nodes/${nodeId}`;
}

/** The node as this trader sees it. */
export async function nodeSeenBy(who: Trader, task: OpenTask, nodeId: string): Promise<any> {
  const { data } = bodyOf(await who.get(`/v1/tasks/${task.id}/nodes?limit=100`));
  return data.find(({ id }: { id: string }) => id === nodeId);
}

/** Withdraws all earnings to the destination, by one action for each node that has some. */
export async function withdrawAll(worker: Trader, destination: string = worker.address): Promise<void> {
  while (bodyOf(await worker.get('/v1/earnings')).claimable !== '0.00') {
    await worker.act('worker', '/v1/earnings/withdrawal-intents', { destination });
  }
}

async function newestNode(task: OpenTask, worker: Trader): Promise<string> {
  const { data } = bodyOf(await worker.get(`/v1/tasks/${task.id}/nodes?limit=100`));
  const own = data.filter((node: { worker_agent_id: string }) => node.worker_agent_id === worker.agentId);
  return own.at(-1).id;
}
