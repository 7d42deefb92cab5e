import type pg from 'pg';
import { checksumAddress } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { Seeded } from '../../eval/statistics/seeded.js';
import { INSERT_ACCOUNTS, INSERT_AGENTS, INSERT_QUOTES, INSERT_TASKS } from './bench-trees.sql.js';
import type { ScriptedChain, ScriptedEvent } from './scripted-chain.js';
import { SCRIPTED_FACTORY } from './scripted-contracts.js';
import { ScriptedTree } from './scripted-tree.js';

/** Number of events of every tree of the bench. */
export const LOGS_PER_TREE = 9;
const WORKERS = 200;
const BUYERS = 200;
const LOGS_PER_BLOCK = 60;
/** Number of trees whose events are interleaved in the blocks. */
const AT_ONCE = 120;
const PRICE = 25_000_000n;
/** Path of the one node of a tree. */
const NODE = 1n;
const WORDS = 'audit contract translate pages design logo write tests review code measure load draw map'.split(' ');

/** The ids and hashes of a task that is in the database, and the scripted tree that will emit its events. */
export interface MadeTree {
  readonly taskId: string;
  readonly tree: ScriptedTree;
  readonly buyer: Hex;
  readonly worker: Hex;
  readonly payment: Hex;
  readonly offer: Hex;
  readonly delivery: Hex;
  readonly acceptance: Hex;
}

/**
 * Writes the rows of `count` tasks whose trees are not on the chain yet.
 * @returns what each tree's events are made of, in order.
 */
export async function makeTrees(client: pg.Client, chance: Seeded, count: number): Promise<readonly MadeTree[]> {
  const address = (): Hex => checksumAddress(`0x${hex(chance, 40)}`);
  const buyers = Array.from({ length: BUYERS }, address);
  const workers = Array.from({ length: WORKERS }, address);
  await client.query(INSERT_ACCOUNTS, ['buyer', buyers]);
  await client.query(INSERT_ACCOUNTS, ['worker', workers]);
  await client.query(INSERT_AGENTS, [workers]);
  const tasks = Array.from({ length: count }, (_, at) => ({
    taskId: `task_01k9${String(at).padStart(22, '0')}`,
    escrow: address(),
    buyer: chance.below(BUYERS),
    worker: chance.below(WORKERS),
    brief: Array.from({ length: 12 }, () => WORDS[chance.below(WORDS.length)]).join(' '),
  }));
  const buyerOf = ({ buyer }: { buyer: number }): Hex => buyers[buyer] ?? SCRIPTED_FACTORY;
  const workerOf = ({ worker }: { worker: number }): Hex => workers[worker] ?? SCRIPTED_FACTORY;
  await client.query(INSERT_TASKS, [
    tasks.map(({ taskId }) => taskId),
    tasks.map(({ buyer }) => buyer + 1),
    tasks.map(({ brief }) => brief),
    tasks.map(buyerOf),
    tasks.map(({ escrow }) => escrow),
  ]);
  await client.query(INSERT_QUOTES, [
    tasks.map(({ taskId }) => taskId),
    tasks.map(({ worker }) => worker + 1),
    tasks.map(({ buyer }) => buyer + 1),
    tasks.map(workerOf),
  ]);
  await client.query('ANALYZE');
  return tasks.map((task) => ({
    taskId: task.taskId,
    tree: new ScriptedTree({ ...task, factory: SCRIPTED_FACTORY, buyer: buyerOf(task) }),
    buyer: buyerOf(task),
    worker: workerOf(task),
    payment: `0x${hex(chance, 64)}`,
    offer: `0x${hex(chance, 64)}`,
    delivery: `0x${hex(chance, 64)}`,
    acceptance: `0x${hex(chance, 64)}`,
  }));
}

/** Puts all events of the trees on the chain, `AT_ONCE` trees interleaved. */
export function mineTrees(chain: ScriptedChain, trees: readonly MadeTree[]): void {
  const events: ScriptedEvent[] = [];
  for (let from = 0; from < trees.length; from += AT_ONCE) {
    const lives = trees.slice(from, from + AT_ONCE).map(lifeOf);
    for (let at = 0; at < LOGS_PER_TREE; at += 1) events.push(...lives.flatMap((life) => life.slice(at, at + 1)));
  }
  for (let from = 0; from < events.length; from += LOGS_PER_BLOCK)
    chain.mine(events.slice(from, from + LOGS_PER_BLOCK));
}

/** All events of one tree, in order. The first four create the tree and fund its node. */
export function lifeOf({ tree, buyer, worker, payment, offer, delivery, acceptance }: MadeTree): ScriptedEvent[] {
  return [
    tree.created(),
    tree.consumed(offer, worker, NODE, 0),
    tree.consumed(payment, buyer, NODE, 0),
    tree.funded(NODE, worker, PRICE),
    tree.consumed(delivery, worker, NODE, 1),
    tree.delivered(NODE),
    tree.consumed(acceptance, buyer, NODE, 2),
    tree.accepted(NODE, PRICE),
    tree.withdrawn(NODE, worker, PRICE),
  ];
}

function hex(chance: Seeded, digits: number): string {
  let text = '';
  while (text.length < digits)
    text += chance
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, digits);
}
