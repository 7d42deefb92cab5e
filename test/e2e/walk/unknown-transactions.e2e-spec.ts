import { Transaction } from 'ethers';
import { eventually } from '../../support/eventually.js';
import { HttpMarket } from './http-market.js';
import { hire, type OpenTask, openTask } from './steps.js';
import { bodyOf, type Call, type Trader } from './trader.js';

const ACTION_TTL = 900;
/** Seconds for which a transaction that the chain does not know is reported as `unknown`. */
const HINT = 120;
/** Seconds for which the action's transaction may still be mined after the action has expired. */
const MINING_MARGIN = 60;

let market: HttpMarket;
let buyer: Trader;
let worker: Trader;
let task: OpenTask;
let nodeId: string;

beforeAll(async () => {
  market = await HttpMarket.start();
});

afterAll(() => market?.stop());

beforeEach(async () => {
  [buyer, worker] = [await market.trader('Buyer'), await market.trader('Worker')];
  task = await openTask(buyer);
  nodeId = await hire(task, worker, 100);
});

afterEach(async () => {
  market.stack.rpc.tamper = (_call, answer) => answer;
  await market.chain.anvil.rpc('evm_setAutomine', true);
  await market.chain.anvil.mine();
  await market.indexed();
});

function abandonPath(): string {
  return `/v1/tasks/${task.id}/nodes/${nodeId}/abandon-intents`;
}

/** The transaction that the wallet signs for an action, and its hash, not sent yet. */
async function signedTransaction({ to, data }: Call): Promise<{ raw: string; hash: string }> {
  const raw = await worker.key.signTransaction({
    to,
    data,
    chainId: 31_337,
    nonce: Number(await market.chain.anvil.rpc('eth_getTransactionCount', worker.address, 'pending')),
    gasLimit: 500_000,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1n,
    type: 2,
  });
  return { raw, hash: Transaction.from(raw).hash! };
}

/** Waits until the transaction is mined, because Anvil answers before. */
function mined(hash: string): Promise<void> {
  return eventually(async () => (await market.chain.anvil.rpc('eth_getTransactionReceipt', hash)) !== null);
}

/** Makes the service's endpoint hide this transaction and every block after the current one. */
async function hide(hash: string): Promise<void> {
  const head = await market.chain.anvil.blockNumber();
  market.stack.rpc.tamper = ({ method, params }, answer) => {
    if (method === 'eth_blockNumber') return { ...answer, result: `0x${head.toString(16)}` };
    if (method === 'eth_getBlockByNumber' && Number(answer.result?.number) > head) return { ...answer, result: null };
    if (/^eth_getTransaction(?:ByHash|Receipt)$/.test(method) && params[0] === hash) return { ...answer, result: null };
    return answer;
  };
}

async function statusOf({ action_id: id }: { action_id: string }): Promise<string> {
  return bodyOf(await worker.get(`/v1/actions/${id}`)).status;
}

function handIn(action: { action_id: string }, hash: string): Promise<any> {
  const body = { transaction_hash: hash };
  return worker.prepare('worker', `/v1/actions/${action.action_id}/submissions`, body);
}

it('a transaction that was sent and that nobody sees is unknown, and its use is free again as long as the node is as it was', async () => {
  const action = await worker.prepare('worker', abandonPath());
  const { hash } = await signedTransaction(action.payload.transaction);
  expect((await handIn(action, hash)).status).toBe('unknown');
  expect(await statusOf(action)).toBe('unknown');
  const second = await worker.post('worker', abandonPath());
  expect(second.status).toBe(200);
  // Both are for the node as it stands, so that at most one of them can run.
  expect(second.body.nonce).toBe(action.nonce);
  expect(second.body.action_id).not.toBe(action.action_id);
});

it('one that was mined behind the back of the service refuses a second, since its node has ended, and is confirmed later', async () => {
  const action = await worker.prepare('worker', abandonPath());
  const { raw, hash } = await signedTransaction(action.payload.transaction);
  await hide(hash);
  await market.chain.anvil.rpc('eth_sendRawTransaction', raw);
  await mined(hash);
  expect((await handIn(action, hash)).status).toBe('unknown');
  const second = await worker.post('worker', abandonPath());
  // The service has not seen the block; the chain, asked about the node, says that nothing is left to abandon.
  expect([second.status, second.body.error.code]).toEqual([409, 'node_not_funded']);
  expect(await statusOf(action)).toBe('unknown');
  market.stack.rpc.tamper = (_call, answer) => answer;
  await market.indexed();
  expect(await statusOf(action)).toBe('confirmed');
});

it('one that waits for a block is submitted, and both of two may wait: the first that is mined wins', async () => {
  const first = await worker.prepare('worker', abandonPath());
  await market.chain.anvil.rpc('evm_setAutomine', false);
  const sent = await signedTransaction(first.payload.transaction);
  await market.chain.anvil.rpc('eth_sendRawTransaction', sent.raw);
  expect((await handIn(first, sent.hash)).status).toBe('submitted');
  const second = await worker.prepare('worker', abandonPath());
  const other = await signedTransaction(second.payload.transaction);
  await market.chain.anvil.rpc('eth_sendRawTransaction', other.raw);
  expect((await handIn(second, other.hash)).status).toBe('submitted');
  await market.chain.anvil.mine();
  await market.indexed();
  // They share the nonce of the node as it stood, so the second can never run, whatever became of its transaction.
  expect([await statusOf(first), await statusOf(second)]).toEqual(['confirmed', 'superseded']);
});

it('a transaction that was dropped is a hint for two minutes, and hides nothing of what the action is then', async () => {
  const action = await worker.prepare('worker', abandonPath());
  await market.chain.anvil.rpc('evm_setAutomine', false);
  const { raw, hash } = await signedTransaction(action.payload.transaction);
  await market.chain.anvil.rpc('eth_sendRawTransaction', raw);
  expect((await handIn(action, hash)).status).toBe('submitted');
  await market.chain.anvil.rpc('anvil_dropTransaction', hash);
  expect(await statusOf(action)).toBe('unknown');
  await market.travel(HINT + 10);
  expect(await statusOf(action)).toBe('prepared');
  await market.travel(ACTION_TTL + MINING_MARGIN - HINT);
  expect(await statusOf(action)).toBe('expired');
  expect((await worker.post('worker', abandonPath())).status).toBe(200);
});

it('an action whose transaction failed can be sent again, and is confirmed then', async () => {
  const action = await worker.prepare('worker', abandonPath());
  const { to, data } = action.payload.transaction;
  // The gas is too little to reach the tree's escrow.
  await market.chain.anvil.rpc('anvil_impersonateAccount', worker.address);
  const hash = await market.chain.anvil.rpc<string>('eth_sendTransaction', {
    from: worker.address,
    to,
    data,
    gas: '0x7530',
  });
  await mined(hash);
  await market.indexed();
  expect((await handIn(action, hash)).status).toBe('failed');
  const again = await worker.direct(action);
  expect(await statusOf(action)).toBe('confirmed');
  expect(bodyOf(await worker.get(`/v1/actions/${action.action_id}`)).transaction_hash).toBe(again);
});

it('with the chain away what was sent is unknown, never failed', async () => {
  const action = await worker.prepare('worker', abandonPath());
  const { hash } = await signedTransaction(action.payload.transaction);
  market.stack.rpc.mode = 'refuse';
  try {
    expect((await handIn(action, hash)).status).toBe('unknown');
    expect((await worker.post('worker', abandonPath())).status).toBe(503);
  } finally {
    market.stack.rpc.mode = 'pass';
    await market.ready();
  }
  expect(await statusOf(action)).toBe('unknown');
});
