import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { id } from 'ethers';
import {
  decodeAmountResult,
  decodeFact,
  decodeNodeResult,
  encodeBalanceOfCall,
  encodeNodeCall,
  encodeRefundOfCall,
  NodeState,
} from '#libs/contracts';
import { formatUsdc, parseUsdc } from '#libs/kernel';
import type { DemoContext } from './demo-context.js';
import type { DemoTask } from './demo-task.js';
import type { Actor } from '../parties/actor.js';
import { LONGEST_EVENT_WAIT_MS } from '../parties/longest-event-wait.js';
import { expectThat } from '../parties/step-reporter.js';

/** The books of one tree, base units: funded = held + paid + refundable. */
export interface Books {
  funded: bigint;
  held: bigint;
  paid: bigint;
  refundable: bigint;
}

/** States in which a node still holds its money. */
const HOLDING: ReadonlySet<NodeState> = new Set([
  NodeState.Funded,
  NodeState.Delivered,
  NodeState.Rejected,
  NodeState.Disputed,
  NodeState.Settled,
]);
const TRANSFER = id('Transfer(address,address,uint256)');
const RECONCILE = fileURLToPath(new URL('../../../../service/tools/reconcile.js', import.meta.url));

/**
 * Reads the books of one tree from the chain alone: the token's transfers into and out of the escrow, and the escrow's
 * storage.
 */
async function booksOnChain(
  context: DemoContext,
  task: DemoTask,
  hirers: readonly Actor[],
): Promise<Books & { balance: bigint }> {
  const { usdc_address: usdc } = context.file;
  const padded = `0x${task.escrow.slice(2).toLowerCase().padStart(64, '0')}`;
  const moved = async (topics: (string | null)[]): Promise<bigint> => {
    const range = { address: usdc, topics, fromBlock: 0, toBlock: 'latest' };
    return (await context.chain.provider.getLogs(range)).reduce((sum, { data }) => sum + BigInt(data), 0n);
  };
  const amount = async (to: string, data: string): Promise<bigint> => decodeAmountResult(await context.view(to, data));
  let refundable = 0n;
  for (const { address } of hirers) refundable += await amount(task.escrow, encodeRefundOfCall(address));
  return {
    funded: await moved([TRANSFER, null, padded]),
    paid: await moved([TRANSFER, padded]),
    held: await heldIn(context, task),
    refundable,
    balance: await amount(usdc, encodeBalanceOfCall(task.escrow)),
  };
}

/**
 * Sum of what each node still holds for its own worker, in base units. What a node has allocated to subcontracts is
 * counted in the child nodes.
 */
async function heldIn(context: DemoContext, task: DemoTask): Promise<bigint> {
  let held = 0n;
  for (const log of await context.chain.provider.getLogs({ address: task.escrow, fromBlock: 0, toBlock: 'latest' })) {
    const fact = decodeFact(log);
    if (fact?.type !== 'NodeFunded') continue;
    const node = decodeNodeResult(await context.view(task.escrow, encodeNodeCall(fact.nodeId)));
    if (HOLDING.has(node.state)) held += node.amount - node.allocated;
  }
  return held;
}

/**
 * Throws DemoMismatch unless the scenario, the chain and the service's receipts agree to the base unit.
 * @param hirers everybody who paid for a node.
 * @param receipts base units of all nodes that were released, and of all that were refunded.
 */
export async function closeBooks(
  context: DemoContext,
  { task, books }: { task: DemoTask; books: Books },
  hirers: readonly Actor[],
  receipts: { released: bigint; refunded: bigint },
): Promise<void> {
  const chain = await booksOnChain(context, task, hirers);
  for (const name of ['funded', 'held', 'paid', 'refundable'] as const) {
    expectThat(
      chain[name] === books[name],
      `Books of ${task.id}: ${name} is ${formatUsdc(chain[name])} on chain, ${formatUsdc(books[name])} by the scenario.`,
    );
  }
  const { funded, held, paid, refundable } = books;
  expectThat(funded === held + paid + refundable, `Books of ${task.id}: funded is not held + paid + refundable.`);
  expectThat(
    chain.balance === held + refundable,
    `The escrow of ${task.id} holds ${formatUsdc(chain.balance)} USDC, it owes ${formatUsdc(held + refundable)}.`,
  );
  const shown = await receiptsOf(task);
  for (const name of ['released', 'refunded'] as const) {
    expectThat(
      shown[name] === receipts[name],
      `The receipts of ${task.id} say ${formatUsdc(shown[name])} ${name}, not ${formatUsdc(receipts[name])}.`,
    );
  }
  context.reporter.line(
    `${formatUsdc(funded)} funded = ${formatUsdc(held)} held + ${formatUsdc(paid)} paid + ${formatUsdc(refundable)} refundable; ` +
      `the escrow holds ${formatUsdc(chain.balance)} USDC`,
  );
}

/**
 * Runs `npm run reconcile` on all trees of the market in this folder and returns its summary line. Throws DemoMismatch
 * with its output when index and chain differ or could not be compared.
 */
export function reconciled(folder: string): Promise<string> {
  const { PATH, HOME } = process.env;
  const options = { env: { PATH, HOME, TZ: 'UTC' }, timeout: LONGEST_EVENT_WAIT_MS };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [RECONCILE, '--data-dir', folder], options, (error, stdout, stderr) => {
      try {
        expectThat(error === null, `Index and chain do not agree:\n${stdout}${stderr}`);
        resolve(stdout.trim().split('\n').at(-1) ?? '');
      } catch (mismatch) {
        reject(mismatch instanceof Error ? mismatch : new Error(String(mismatch)));
      }
    });
  });
}

/** Sums of the receipts that the service shows to the buyer, in base units by outcome. */
async function receiptsOf({ buyer, id: taskId }: DemoTask): Promise<{ released: bigint; refunded: bigint }> {
  const receipts = ['receipts', '--task', taskId, '--limit', '100'];
  const data = await buyer.list<{ outcome: string; amount: { amount: string } }>(...receipts);
  const sum = (outcome: string): bigint =>
    data.filter((one) => one.outcome === outcome).reduce((total, { amount }) => total + parseUsdc(amount.amount), 0n);
  return { released: sum('released'), refunded: sum('refunded') };
}
