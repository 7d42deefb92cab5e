import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { IndexerService } from '../../../modules/escrow/indexer/indexer.service.js';
import type { WriteLine } from '../../processes/progress.js';
import { lifeOf, type MadeTree } from './bench-trees.js';
import { COUNT_NODES } from './bench-trees.sql.js';
import type { ScriptedChain } from './scripted-chain.js';

/** More nodes than the gas of one block could pay for on a real chain. */
const NODES_PER_BLOCK = 500;
const AMOUNT = 1_000_000n;
const POLL_MS = 50;
/** Milliseconds between two blocks of the large tree; each is followed by a block of another tree. */
const BLOCK_MS = 500;
/** Bar, in milliseconds: the longest allowed time from a block of another tree until its node is shown. */
const MOST_LAG_MS = 2_000;

/** Number of trees that `benchHostileTree` needs: the large one, and one more for each of its blocks. */
export function treesOfHostile(nodes: number): number {
  return 1 + Math.ceil(nodes / NODES_PER_BLOCK);
}

/**
 * Builds one tree of very many nodes, block by block, opens a node in another tree after each block, and measures how
 * long those nodes take to be shown.
 * @param trees the first becomes the large one; each of the others gets one node.
 * @returns whether no other tree waited longer than the bar.
 */
export async function benchHostileTree(
  write: WriteLine,
  { client, chain, indexer }: { client: pg.Client; chain: ScriptedChain; indexer: IndexerService },
  trees: readonly MadeTree[],
  nodes: number,
): Promise<boolean> {
  const [large, ...others] = trees;
  if (!large) throw new RangeError('There must be a tree');
  const shown = async ({ taskId }: MadeTree): Promise<number> => {
    const { rows } = await client.query<{ nodes: number }>(COUNT_NODES, [taskId]);
    return rows[0]?.nodes ?? 0;
  };
  const begun = performance.now();
  let isOver = false;
  const stepping = (async () => {
    while (!isOver) if ((await indexer.advance()) === 'idle') await sleep(POLL_MS);
  })();
  const lags: number[] = [];
  chain.mine([large.tree.created()]);
  for (let from = 1; from <= nodes; from += NODES_PER_BLOCK) {
    const count = Math.min(NODES_PER_BLOCK, nodes - from + 1);
    chain.mine(Array.from({ length: count }, (_, at) => large.tree.funded(BigInt(from + at), large.worker, AMOUNT)));
    const other = others[lags.length];
    if (!other) throw new RangeError('There are too few other trees');
    chain.mine(lifeOf(other).slice(0, 4));
    const mined = performance.now();
    while ((await shown(other)) === 0) await sleep(10);
    lags.push(performance.now() - mined);
    await sleep(BLOCK_MS);
  }
  while ((await shown(large)) < nodes) await sleep(POLL_MS);
  const seconds = (performance.now() - begun) / 1000;
  isOver = true;
  await stepping;
  await indexer.settled();
  const longest = Math.max(...lags);
  const isMet = longest <= MOST_LAG_MS;
  write(`  A tree of ${nodes.toLocaleString('en')} nodes is shown after ${seconds.toFixed(1)} s`);
  write(
    `    ${lags.length} others meanwhile: longest lag ${longest.toFixed(0)} ms; bar: at most ${MOST_LAG_MS} ms: ${isMet ? 'met' : 'missed'}\n`,
  );
  return isMet;
}
