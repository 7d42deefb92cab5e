import { encodeAbandonNode } from '../../../libs/contracts/src/index.js';
import { nodeIdOf } from '../../../libs/kernel/src/index.js';
import { eventually } from '../../support/eventually.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';

let stack: ResilienceStack;
let service: ServiceProcess;
let buyer: Caller;
let worker: Caller;

beforeAll(async () => {
  stack = await ResilienceStack.start();
});

afterAll(() => stack?.stop());

beforeEach(async () => {
  [buyer, worker] = [await stack.caller('Buyer'), await stack.caller('Worker')];
});

afterEach(() => service?.stop());

/** Everything that the API shows of one task to its worker, without the times of preparation. */
async function shown(taskId: string, actionId?: string) {
  const get = async (path: string) => {
    const { status, body } = await service.call(path, { key: worker.keys.read });
    expect(status).toBe(200);
    return body;
  };
  const [node] = (await get(`/v1/tasks/${taskId}/nodes`)).data;
  const tasks: { id: string; status: string }[] = (await get('/v1/tasks')).data;
  return {
    node: node.state,
    task: (await get(`/v1/tasks/${taskId}`)).status,
    listed: tasks.find(({ id }) => id === taskId)?.status,
    receipts: (await get(`/v1/receipts?task_id=${taskId}`)).data.length,
    reputation: (await get(`/v1/reputation?agent_id=${worker.agentId}`)).data.length,
    action: actionId === undefined ? undefined : (await get(`/v1/actions/${actionId}`)).status,
  };
}

const FUNDED = { node: 'funded', task: 'funded', listed: 'funded', receipts: 0, reputation: 0 };
const ABANDONED = { node: 'refunded', task: 'refunded', listed: 'refunded', receipts: 1, reputation: 1 };

function shows(taskId: string, actionId: string, expected: object): Promise<void> {
  return eventually(async () => JSON.stringify(await shown(taskId, actionId)) === JSON.stringify(expected), 15_000);
}

/**
 * Prepares operation 1 and the transaction that the wallet signs for it. Signed once, it is valid on any chain in which
 * it fits.
 */
async function preparedAbandonment(tree: { taskId: string; nodeId: string }) {
  const { status, body } = await service.abandon(
    tree.taskId,
    tree.nodeId,
    worker.keys.worker,
    `abandon ${tree.nodeId}`,
  );
  expect(status).toBe(200);
  const { anvil } = stack.chain;
  await anvil.rpc('anvil_setBalance', worker.wallet.address, '0x8ac7230489e80000');
  const { to, data } = body.payload.transaction;
  const transaction = await worker.wallet.signTransaction({
    to,
    data,
    chainId: 31337,
    nonce: 0,
    gasLimit: 500_000,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1n,
    type: 2,
  });
  return { actionId: String(body.action_id), payload: body.payload, transaction };
}

it('a reorganisation of five blocks that removes an abandonment takes it back everywhere, until it is mined again', async () => {
  service = await stack.service();
  const tree = await stack.funded(buyer, worker);
  const { anvil } = stack.chain;
  const { actionId, transaction } = await preparedAbandonment(tree);
  expect(await shown(tree.taskId, actionId)).toEqual({ ...FUNDED, action: 'prepared' });
  // Preparing alone changes nothing on the chain, so `before` is the block that the reorganisation returns to.
  const before = await anvil.blockNumber();
  await anvil.rpc('eth_sendRawTransaction', transaction);
  await eventually(async () => (await anvil.blockNumber()) === before + 1);
  await anvil.mine(4);
  await shows(tree.taskId, actionId, { ...ABANDONED, action: 'confirmed' });
  const first = await service.call(`/v1/receipts?task_id=${tree.taskId}`, { key: worker.keys.read });

  await anvil.reorg(5);
  expect(await anvil.blockNumber()).toBe(before + 5);
  await shows(tree.taskId, actionId, { ...FUNDED, action: 'prepared' });
  const again = await service.abandon(tree.taskId, tree.nodeId, worker.keys.worker, 'prepared anew');
  expect(again.status).toBe(200);

  await anvil.rpc('anvil_setBalance', worker.wallet.address, '0x8ac7230489e80000');
  await anvil.rpc('eth_sendRawTransaction', transaction);
  await eventually(async () => (await anvil.blockNumber()) === before + 6);
  await shows(tree.taskId, actionId, { ...ABANDONED, action: 'confirmed' });
  const second = await service.call(`/v1/receipts?task_id=${tree.taskId}`, { key: worker.keys.read });
  // The receipt has the same id and transaction, although its block is another one.
  const [was, is] = [first.body.data[0], second.body.data[0]];
  expect([is.id, is.transaction_hash]).toEqual([was.id, was.transaction_hash]);
  const { body } = await service.call(`/v1/actions/${again.body.action_id}`, { key: worker.keys.read });
  expect(body.status).toBe('superseded');
  expect((await service.abandon(tree.taskId, tree.nodeId, worker.keys.worker, 'too late')).status).toBe(409);
});

it('an action that was superseded on a chain that is gone can be relayed on the new one', async () => {
  service = await stack.service();
  const tree = await stack.funded(buyer, worker);
  const { anvil } = stack.chain;
  const { actionId, payload } = await preparedAbandonment(tree);
  await stack.chain.abandon(tree, tree.root, worker.wallet);
  await anvil.mine(4);
  await shows(tree.taskId, actionId, { ...ABANDONED, action: 'superseded' });
  await anvil.reorg(5);
  await shows(tree.taskId, actionId, { ...FUNDED, action: 'prepared' });
  const { nonce, validUntil, requestDigest, actionId: actionIdHash } = payload.message;
  const signature = await signTypedData(worker.wallet, payload);
  const auth = {
    actionId: actionIdHash,
    requestDigest,
    nonce: BigInt(nonce),
    validUntil: BigInt(validUntil),
    signature,
  };
  await stack.chain.send(tree.escrow, encodeAbandonNode(1n, auth));
  await shows(tree.taskId, actionId, { ...ABANDONED, action: 'confirmed' });
});

it('with CHAIN_CONFIRMATIONS=3 nothing is shown before three blocks lie above it', async () => {
  service = await stack.service({ CHAIN_CONFIRMATIONS: '3' });
  const { anvil } = stack.chain;
  const hired = await stack.market.hired(buyer, worker);
  const tree = { ...hired, nodeId: nodeIdOf(hired.taskId, 1n) };
  await anvil.mine(3);
  await stack.indexed(tree.taskId, 'funded');
  const { actionId, transaction } = await preparedAbandonment(tree);
  const before = await anvil.blockNumber();
  await anvil.rpc('eth_sendRawTransaction', transaction);
  await eventually(async () => (await anvil.blockNumber()) === before + 1);
  for (let above = 0; above < 3; above += 1) {
    await eventually(async () => (await service.metric('indexer_block')) === before - 2 + above);
    expect(await shown(tree.taskId, actionId)).toEqual({ ...FUNDED, action: 'prepared' });
    await anvil.mine(1);
  }
  await shows(tree.taskId, actionId, { ...ABANDONED, action: 'confirmed' });

  // What is not shown yet may vanish without anybody having seen it.
  const next = await stack.market.hired(buyer, worker);
  await anvil.mine(3);
  await stack.indexed(next.taskId, 'funded');
  const height = await anvil.blockNumber();
  await stack.chain.abandon(next, next.root, worker.wallet);
  await anvil.mine(2);
  await anvil.reorg(3);
  await anvil.mine(4);
  await eventually(async () => (await service.metric('indexer_block')) === height + 4);
  expect((await shown(next.taskId)).node).toBe('funded');
});
