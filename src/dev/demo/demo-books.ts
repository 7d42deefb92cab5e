import { id, Interface } from 'ethers';
import { localUsdcAbi, taskEscrowAbi } from '#libs/contracts';
import { formatUsdc } from '#libs/kernel';
import type { Backstage } from '../market/backstage.js';
import type { TaskTree } from '../market/task-tree.js';
import { getJson } from '../market-view.js';
import { expectThat } from './teller.js';

/** The books of one tree, base units: funded = held + paid + refundable. */
export interface Books {
  funded: bigint;
  held: bigint;
  paid: bigint;
  refundable: bigint;
}

const usdc = new Interface(localUsdcAbi);
const escrow = new Interface(taskEscrowAbi);
const TRANSFER = id('Transfer(address,address,uint256)');

/** What the chain itself says: the token's transfers into and out of the escrow, and the escrow's own storage. */
export async function booksOnChain(
  tree: TaskTree,
  hirerFunded: readonly number[],
  hirers: readonly string[],
): Promise<Books & { balance: bigint }> {
  const { provider } = tree.stage.chain;
  const padded = `0x${tree.escrow.slice(2).toLowerCase().padStart(64, '0')}`;
  const moved = async (topics: (string | null)[]): Promise<bigint> => {
    const logs = await provider.getLogs({ address: tree.stage.usdc, topics, fromBlock: 0, toBlock: 'latest' });
    return logs.reduce((sum, { data }) => sum + BigInt(data), 0n);
  };
  const view = async (to: string, data: string): Promise<bigint> => BigInt(await provider.call({ to, data }));
  let held = 0n;
  for (const number of hirerFunded) held += (await tree.stored(number)).amount;
  let refundable = 0n;
  for (const hirer of hirers) refundable += await view(tree.escrow, escrow.encodeFunctionData('refundOf', [hirer]));
  return {
    funded: await moved([TRANSFER, null, padded]),
    paid: await moved([TRANSFER, padded]),
    held,
    refundable,
    balance: await view(tree.stage.usdc, usdc.encodeFunctionData('balanceOf', [tree.escrow])),
  };
}

/** What the service's index has made of the same chain. */
export async function booksIndexed(backstage: Backstage, taskId: string): Promise<Books> {
  const rows: unknown = await backstage.transactions.manager.query(
    'SELECT funded::text, held::text, paid::text, refundable::text FROM escrow_trees WHERE task_id = $1',
    [taskId],
  );
  const row: unknown = Array.isArray(rows) ? rows[0] : null;
  expectThat(typeof row === 'object' && row !== null, `The service has no books of ${taskId}.`);
  const members = new Map<string, unknown>(Object.entries(row));
  const amount = (name: string): bigint => BigInt(String(members.get(name)));
  return { funded: amount('funded'), held: amount('held'), paid: amount('paid'), refundable: amount('refundable') };
}

/** What a client of the HTTP interface adds up from receipts: what went to workers, and what went back to hirers. */
export async function receiptsOverHttp(
  baseUrl: string,
  readKey: string,
  taskId: string,
): Promise<{ released: bigint; refunded: bigint }> {
  const { data } = await getJson<{ data: { outcome: string; amount: { amount: string } }[] }>(
    `${baseUrl}/v1/receipts?task_id=${taskId}&limit=100`,
    readKey,
  );
  const sum = (outcome: string): bigint =>
    data.filter((one) => one.outcome === outcome).reduce((total, { amount }) => total + units(amount.amount), 0n);
  return { released: sum('released'), refunded: sum('refunded') };
}

/** Throws DemoMismatch unless all three tell the same, to the base unit. */
export function closeBooks(own: Books, chain: Books & { balance: bigint }, index: Books): void {
  for (const name of ['funded', 'held', 'paid', 'refundable'] as const) {
    expectThat(
      chain[name] === own[name],
      `Books: ${name} is ${formatUsdc(chain[name])} on chain, ${formatUsdc(own[name])} by the story.`,
    );
    expectThat(
      index[name] === own[name],
      `Books: ${name} is ${formatUsdc(index[name])} in the service, ${formatUsdc(own[name])} by the story.`,
    );
  }
  expectThat(own.funded === own.held + own.paid + own.refundable, 'Books: funded is not held + paid + refundable.');
  const owed = own.held + own.refundable;
  expectThat(
    chain.balance === owed,
    `Books: the escrow holds ${formatUsdc(chain.balance)}, it owes ${formatUsdc(owed)}.`,
  );
}

function units(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'));
}
