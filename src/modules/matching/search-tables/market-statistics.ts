import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { notePostings, noteStatistics } from './match-changes.js';
import { DRIFT, SMALL_MARKET } from '../relevance/matching-limits.js';
import { writePostings } from './posting-store.js';
import { AGENTS_AFTER, type PostedAgent } from './statements/match-postings.sql.js';
import {
  COUNT_RANGE,
  COUNT_TERMS,
  HOLD,
  LAST_TERM,
  LOCK,
  MEASURE,
  READ,
  type StatisticsRow,
  WRITE,
  WRITE_COUNTED,
  WRITE_PROGRESS,
} from './statistics.sql.js';

/** Agents whose postings are rewritten in one transaction. */
const REWRITTEN_AT_ONCE = 500;
/** Words that are counted in one statement. */
const COUNTED_AT_ONCE = 200;

type Averages = Pick<StatisticsRow, 'name_length' | 'rest_length'>;
type Measured = Averages & Pick<StatisticsRow, 'agents' | 'briefs'>;

/**
 * Maintains the market's statistics: numbers of agents and settled briefs, document frequencies, and average text
 * lengths. They are stored, so that matches and impacts do not depend on the moment. In a small market every change
 * updates them; in a large one `recount` does. Averages stay until they are 5 % off, because new averages change every
 * impact. In the same way, the weights of briefs stay until the number of texts is 5 % off.
 */
@Injectable()
export class MarketStatistics {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Reads and locks the statistics until the end of the transaction. A writer of postings must call this first. */
  async hold(manager: EntityManager): Promise<StatisticsRow> {
    // A writer in a small market will change the statistics, so it takes the exclusive lock at once; two writers with
    // shared locks would wait for each other.
    const statement = isSmall(await this.read(manager)) ? LOCK : HOLD;
    return rowOf(await runPrepared<StatisticsRow>(manager, statement, []));
  }

  /** As `hold`, and lets nobody else write postings until the end of the transaction. */
  async lock(manager: EntityManager): Promise<StatisticsRow> {
    return rowOf(await runPrepared<StatisticsRow>(manager, LOCK, []));
  }

  async read(manager: EntityManager): Promise<StatisticsRow> {
    return rowOf(await runPrepared<StatisticsRow>(manager, READ, []));
  }

  /**
   * Updates the statistics of a small market after a change of these words' postings. Does nothing in a large market,
   * which waits for `recount`.
   * @returns true when the market is small.
   */
  async follow(manager: EntityManager, held: StatisticsRow, termIds: readonly number[]): Promise<boolean> {
    if (!isSmall(held)) return false;
    await runPrepared(manager, COUNT_TERMS, [[...new Set(termIds)]]);
    if (await this.write(manager, held, DRIFT)) while (await this.rewriteStep(manager));
    return true;
  }

  /**
   * Counts all words and measures the texts. When averages or the number of texts are too far off, starts the
   * recomputation of impacts or brief weights; with `isExact`, at any difference.
   */
  async recount(isExact: boolean): Promise<void> {
    const { manager } = this.transactions;
    const [{ last } = { last: 0 }] = await runPrepared<{ last: number }>(manager, LAST_TERM, []);
    for (let from = 1; from <= last; from += COUNTED_AT_ONCE) {
      await this.transactions.run(async (own) => {
        // The lock keeps out `follow`, which counts words in another order and could deadlock with this.
        await runPrepared(own, HOLD, []);
        await runPrepared(own, COUNT_RANGE, [from, from + COUNTED_AT_ONCE - 1]);
      });
    }
    await this.transactions.run(async (own) => {
      const held = await this.lock(own);
      await this.write(own, held, isExact ? null : DRIFT);
      await runPrepared(own, WRITE_COUNTED, [this.clock.now()]);
    });
  }

  /** Marks the postings of all agents for a rewrite, which `rewriteNext` does. */
  async rewriteAll(): Promise<void> {
    await runPrepared(this.transactions.manager, WRITE_PROGRESS, [0]);
  }

  /** Rewrites the next postings that were computed with older averages. Resolves to false when none are left. */
  async rewriteNext(): Promise<boolean> {
    return this.transactions.run((manager) => this.rewriteStep(manager));
  }

  private async rewriteStep(manager: EntityManager): Promise<boolean> {
    const held = await this.lock(manager);
    if (held.rewritten_to === null) return false;
    const agents = await runPrepared<PostedAgent>(manager, AGENTS_AFTER, [held.rewritten_to, REWRITTEN_AT_ONCE]);
    await writePostings(manager, agents, averagesOf(held));
    const last = agents.length < REWRITTEN_AT_ONCE ? null : (agents.at(-1)?.number ?? null);
    await runPrepared(manager, WRITE_PROGRESS, [last]);
    if (last === null) await notePostings(manager, this.clock.now());
    return last !== null;
  }

  /**
   * Replaces the stored statistics by new measurements. Averages are replaced only when they are off by more than
   * `tolerance`, and then all impacts must be recomputed; the same holds for the number of texts and the weights of
   * briefs. With null, any difference replaces the averages, and all briefs are weighed anew.
   * @returns true when the averages were replaced.
   */
  private async write(manager: EntityManager, held: StatisticsRow, tolerance: number | null): Promise<boolean> {
    const measured = rowOf(await runPrepared<Measured>(manager, MEASURE, []));
    const isOff = hasDrifted(held, measured, tolerance ?? 0);
    const averages = isOff ? measured : held;
    const texts = measured.agents + measured.briefs;
    const areBriefsOff = tolerance === null || isFar(held.brief_texts, texts, tolerance);
    await runPrepared(manager, WRITE, [
      measured.agents,
      averages.name_length,
      averages.rest_length,
      isOff ? 0 : held.rewritten_to,
      measured.briefs,
      areBriefsOff ? texts : held.brief_texts,
      held.brief_version + (areBriefsOff ? 1 : 0),
    ]);
    await noteStatistics(manager, this.clock.now());
    return isOff;
  }
}

/** The average lengths with which impacts are computed. */
export function averagesOf({ name_length, rest_length }: Averages): { name: number; rest: number } {
  return { name: name_length, rest: rest_length };
}

function isSmall({ agents, briefs }: StatisticsRow): boolean {
  return agents + briefs < SMALL_MARKET;
}

function hasDrifted(held: Averages, measured: Averages, tolerance: number): boolean {
  return (
    isFar(held.name_length, measured.name_length, tolerance) || isFar(held.rest_length, measured.rest_length, tolerance)
  );
}

function isFar(held: number, measured: number, tolerance: number): boolean {
  return Math.abs(measured - held) > tolerance * held;
}

function rowOf<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new RangeError('The statistics of the market have one row');
  return row;
}
