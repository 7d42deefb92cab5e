import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { notePostings, noteStatistics } from './match-changes.js';
import { DRIFT, SMALL_MARKET } from '../relevance/matching-limits.js';
import { AGENTS_AFTER, type PostedAgent, writePostings } from './posting-store.js';
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
 * How many agents and settled briefs there are, how many of them have each word and how long the agents' texts are on
 * average: frozen, so that neither a match nor an impact depends on the moment. While the market is small they follow
 * every change at once; after that `refresh` does it. Averages stay until they are 5 % off, because with them every impact
 * changes, and so do the weights of briefs with the number of texts.
 */
@Injectable()
export class MarketStatistics {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** The statistics as they are until the end of the transaction, for a writer of postings, before anything else of it. */
  async hold(manager: EntityManager): Promise<StatisticsRow> {
    // Who follows at once needs them alone; two who share them would wait for each other.
    const statement = isSmall(await this.read(manager)) ? LOCK : HOLD;
    return rowOf(await runPrepared<StatisticsRow>(manager, statement, []));
  }

  async read(manager: EntityManager): Promise<StatisticsRow> {
    return rowOf(await runPrepared<StatisticsRow>(manager, READ, []));
  }

  /**
   * What a small market is like after the lists of these words have changed; a large one waits for `refresh`.
   * @returns whether the market is small.
   */
  async follow(manager: EntityManager, held: StatisticsRow, termIds: readonly number[]): Promise<boolean> {
    if (!isSmall(held)) return false;
    await runPrepared(manager, COUNT_TERMS, [[...new Set(termIds)]]);
    if (await this.write(manager, held, DRIFT)) while (await this.rewriteStep(manager));
    return true;
  }

  /** Counts every word, measures the texts, and begins anew with impacts and briefs when either is too far off. */
  async recount(isExact: boolean): Promise<void> {
    const { manager } = this.transactions;
    const [{ last } = { last: 0 }] = await runPrepared<{ last: number }>(manager, LAST_TERM, []);
    for (let from = 1; from <= last; from += COUNTED_AT_ONCE) {
      await this.transactions.run(async (own) => {
        // Who follows at once counts words too, in another order.
        await runPrepared(own, HOLD, []);
        await runPrepared(own, COUNT_RANGE, [from, from + COUNTED_AT_ONCE - 1]);
      });
    }
    await this.transactions.run(async (own) => {
      const held = rowOf(await runPrepared<StatisticsRow>(own, LOCK, []));
      await this.write(own, held, isExact ? null : DRIFT);
      await runPrepared(own, WRITE_COUNTED, [this.clock.now()]);
    });
  }

  /** Begins anew with the postings of all agents; `rewriteNext` does it. */
  async rewriteAll(): Promise<void> {
    await runPrepared(this.transactions.manager, WRITE_PROGRESS, [0]);
  }

  /** Rewrites the postings of the next agents whose impacts are of older averages; false when there are none left. */
  async rewriteNext(): Promise<boolean> {
    return this.transactions.run((manager) => this.rewriteStep(manager));
  }

  private async rewriteStep(manager: EntityManager): Promise<boolean> {
    const held = rowOf(await runPrepared<StatisticsRow>(manager, LOCK, []));
    if (held.rewritten_to === null) return false;
    const agents = await runPrepared<PostedAgent>(manager, AGENTS_AFTER, [held.rewritten_to, REWRITTEN_AT_ONCE]);
    await writePostings(manager, agents, averagesOf(held));
    const last = agents.length < REWRITTEN_AT_ONCE ? null : (agents.at(-1)?.number ?? null);
    await runPrepared(manager, WRITE_PROGRESS, [last]);
    if (last === null) await notePostings(manager, this.clock.now());
    return last !== null;
  }

  /**
   * Writes what is measured now in place of what is held. Averages that are off by more than `tolerance` are replaced, and
   * all impacts are to be made with them; so are the weights of briefs. Null replaces whatever has changed, and weighs
   * every brief.
   * @returns whether averages were replaced.
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

/** The averages that impacts are made with. */
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
