import { type EscrowFact, FundingMode } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { NonceFacts1700000000107 } from '../../../src/migrations/1700000000107-nonce-facts.js';
import { IndexStore } from '../../../src/modules/escrow/indexed-chain/index-store.js';
import type { SoughtPayment } from '../../../src/modules/prepared-actions/action/prepared-kind.js';
import {
  type ActionFactRow,
  factsByPlace,
  factValues,
} from '../../../src/modules/prepared-actions/lifecycle/action-facts.js';
import { ACTION_FACTS } from '../../../src/modules/prepared-actions/lifecycle/action-facts.sql.js';
import { LISTS } from '../../../src/platform/database/reads/read-connections.js';
import { address } from '../../support/market-rows.js';
import { costOf, planOf } from '../../support/query-plan.js';
import { ReadSide } from '../../support/read-side.js';
import { vacuumed } from '../../support/vacuumed.js';

/** A tree whose parties and whose guests have done what they can to fill it with facts that name nonces and payments. */
const TREE = 'task_full';
const MANY = 20_000;
const SOME = 2_000;
const [OWN, GUEST] = [address(1), address(2)] as [Hex, Hex];
/** Nonces of the word that is cancelled again and again: the first bit is cancelled once, before all, the last one never. */
const [CANCELLED, FREE] = [256n, 511n];
const USED = 1n << 40n;
const TERMS = word(7);
const PAGE = 100;
/** Pages of 8 KiB that the facts of an action may take: four look-ups, each from the root of an index to a row. */
const FEW = 24;

function word(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

const cancels = (signer: Hex, mask: bigint): EscrowFact => ({ type: 'NoncesInvalidated', signer, word: 1n, mask });

const uses = (signer: Hex, nonce: bigint, actionId: Hex): EscrowFact => ({
  type: 'ActionConsumed',
  signer,
  nonce,
  actionId,
  requestDigest: word(0),
});

const pays = (nodeId: number): EscrowFact => ({
  type: 'NodeFunded',
  nodeId: BigInt(nodeId),
  worker: OWN,
  payer: OWN,
  amount: 1n,
  floor: 0n,
  deliverBy: 1,
  acceptWindow: 1,
  maxRevisions: 0,
  hirerFunded: true,
  mode: FundingMode.Permit,
  termsHash: TERMS,
});

const many = (count: number, fact: (index: number) => EscrowFact): EscrowFact[] =>
  Array.from({ length: count }, (_, index) => fact(index));

let side: ReadSide;
const store = new IndexStore();

async function append(block: number, facts: readonly EscrowFact[]): Promise<void> {
  const own = {
    blockNumber: block,
    blockHash: word(block),
    blockTime: block,
    transactionHash: word(block),
    taskId: TREE,
  };
  await side.transactions.run((manager) =>
    store.append(
      manager,
      [{ number: block, hash: own.blockHash, parentHash: word(block - 1), timestamp: block }],
      facts.map((fact, logIndex) => ({ ...own, fact, logIndex })),
    ),
  );
}

const sought = (nonce: bigint, payment: SoughtPayment | null = null, own: object = {}) => ({
  action: { taskId: TREE, walletAddress: OWN, actionIdHash: word(1), nonce, ...own },
  payment,
});

/** The facts that are found for one action. */
async function factsOf(...values: Parameters<typeof sought>): Promise<EscrowFact[]> {
  const rows: ActionFactRow[] = await side.transactions.manager.query(
    ACTION_FACTS.text,
    factValues([sought(...values)]),
  );
  return (factsByPlace(rows, 1)[0] ?? []).map(({ fact }) => fact);
}

const masks = (): Promise<unknown[]> =>
  side.transactions.manager.query('SELECT block_number, log_index, cancelled_mask FROM chain_facts ORDER BY 1, 2');

beforeAll(async () => {
  side = await ReadSide.create();
  await append(1, [cancels(OWN, 1n), uses(OWN, USED, word(2)), uses(OWN, USED, word(1)), pays(9), pays(4)]);
  await append(2, [cancels(OWN, 0b100n), cancels(OWN, 0b010n), cancels(GUEST, 1n << 255n)]);
  await append(3, [
    ...many(MANY, (index) => cancels(OWN, 1n << BigInt(1 + (index % 254)))),
    ...many(SOME, (index) => uses(OWN, USED + 1n + BigInt(index), word(3))),
    ...many(SOME, (index) => uses(address(10 + index) as Hex, USED, word(1))),
    ...many(SOME, (index) => pays(10 + index)),
  ]);
  await vacuumed(side.dataSource);
}, 120_000);
afterAll(() => side?.close());

it('are what was made of its nonce, under its own id before another, and all that its wallet has cancelled', async () => {
  expect(await factsOf(CANCELLED)).toEqual([cancels(OWN, (1n << 255n) - 1n)]);
  expect(await factsOf(CANCELLED, null, { walletAddress: GUEST })).toEqual([cancels(GUEST, 1n << 255n)]);
  expect(await factsOf(USED)).toEqual([uses(OWN, USED, word(1))]);
  expect(await factsOf(USED, null, { actionIdHash: word(9) })).toHaveLength(1);
  expect(await factsOf(USED, null, { taskId: 'task_other' })).toEqual([]);
  expect(await factsOf(USED, null, { taskId: null })).toEqual([]);
});

it('are the payment of its node, or the first under its terms', async () => {
  expect(await factsOf(0n, { nodeId: 4n })).toEqual([pays(4)]);
  expect(await factsOf(0n, { nodeId: 3n })).toEqual([]);
  expect(await factsOf(0n, { termsHash: TERMS })).toEqual([pays(9)]);
  expect(await factsOf(0n, { termsHash: word(8) })).toEqual([]);
});

it('cost the same however many others there are in the tree, of whomever', async () => {
  const page = (nonce: bigint, payment: SoughtPayment) => Array.from({ length: PAGE }, () => sought(nonce, payment));
  for (const asked of [
    page(CANCELLED, { termsHash: TERMS }),
    page(FREE, { nodeId: 7n }),
    page(USED, { nodeId: 9_999n }),
  ]) {
    for (const settings of [LISTS.settings, []]) {
      const { scanned, buffers } = await costOf(side.dataSource, ACTION_FACTS.text, factValues(asked), settings);
      expect([scanned, buffers <= FEW * PAGE]).toEqual([[], true]);
    }
  }
  const { scans } = await planOf(side.dataSource, ACTION_FACTS.text, factValues([]));
  expect(scans).toEqual([
    'Index Scan using chain_facts_used_nonce_idx on chain_facts',
    'Index Scan Backward using chain_facts_cancelled_idx on chain_facts',
    'Index Scan using chain_facts_root_paid_idx on chain_facts',
    'Index Scan using chain_facts_terms_paid_idx on chain_facts',
  ]);
});

it('are found as well in an index that was written before nonces were summed up', async () => {
  const before = await masks();
  const [migration, runner] = [new NonceFacts1700000000107(), side.dataSource.createQueryRunner()];
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
  expect(await masks()).toEqual(before);
});

it('follow the index back', async () => {
  await side.transactions.run((manager) => store.rollback(manager, { number: 1, hash: word(1) }));
  expect(await factsOf(CANCELLED)).toEqual([cancels(OWN, 1n)]);
  await append(2, [cancels(OWN, 1n << 9n)]);
  expect(await factsOf(CANCELLED)).toEqual([cancels(OWN, 1n + (1n << 9n))]);
});
