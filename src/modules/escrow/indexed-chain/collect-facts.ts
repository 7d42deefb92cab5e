import { type ChainedFact, decodeFact } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { ChainLog } from '../../../platform/chain/rpc/rpc-shapes.js';
import type { BlockRange } from './block-source.js';

/** A fact and the task whose tree it is about. */
export interface TaskFact extends ChainedFact {
  taskId: string;
}

/** Whose events count: the factory's, and those of the escrows of known tasks. */
export interface KnownEmitters {
  factoryAddress: Hex;
  /** By escrow address (EIP-55). */
  taskIds: ReadonlyMap<string, string>;
}

/** Addresses (EIP-55) in these logs that must be looked up among the escrows before `collectFacts` can run. */
export function escrowCandidates(logs: readonly ChainLog[], factoryAddress: Hex): string[] {
  const candidates = new Set<string>();
  for (const log of logs) {
    if (log.address !== factoryAddress) candidates.add(log.address);
    else {
      const fact = decodeFact(log);
      if (fact?.type === 'TreeCreated') candidates.add(fact.escrow);
    }
  }
  return [...candidates];
}

/**
 * The facts in a range. Anybody can deploy a contract that emits the same events: only the emitter makes a log a fact.
 * Of the factory's events only `TreeCreated` counts; of an escrow's events every other counts, for its own tree.
 */
export function collectFacts(range: BlockRange, emitters: KnownEmitters): TaskFact[] {
  const times = new Map(range.headers.map(({ number, timestamp }) => [number, timestamp]));
  return range.logs.flatMap((log) => {
    const told = factOf(log, emitters);
    const blockTime = times.get(log.blockNumber);
    if (told === null || blockTime === undefined) return [];
    const { blockNumber, blockHash, logIndex, transactionHash } = log;
    return [{ ...told, blockNumber, blockHash, blockTime, logIndex, transactionHash }];
  });
}

function factOf(log: ChainLog, { factoryAddress, taskIds }: KnownEmitters): Pick<TaskFact, 'taskId' | 'fact'> | null {
  const isFactory = log.address === factoryAddress;
  if (!isFactory && !taskIds.has(log.address)) return null;
  const fact = decodeFact(log);
  if (fact === null || (fact.type === 'TreeCreated') !== isFactory) return null;
  const taskId = taskIds.get(fact.type === 'TreeCreated' ? fact.escrow : log.address);
  return taskId === undefined ? null : { taskId, fact };
}
