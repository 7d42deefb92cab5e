import type { EntityManager } from 'typeorm';
import {
  attachPartition,
  DIVIDED_TABLES,
  type DividedTable,
  dropPartition,
  ENDS,
  LIMIT_WAITING,
  PARTITIONS,
  TAKE_TURN,
} from './event-partitions.sql.js';

/**
 * Sequences in one partition: seven days of microseconds. Large enough that 90 days are about fourteen tables, in each
 * of which an event is looked up by its id.
 */
const SIZE = 7n * 86_400_000_000n;
/** Partitions that are made ahead of the one in use. */
const AHEAD = 2n;
const NAME = /^(events|event_audience)_([0-9]+)$/;

/**
 * The partitions of the log: fixed ranges of `sequence`, made ahead of the end of the log and of the present moment. A
 * range leaves the log as a whole once every event in it is older than the retention. Every method must run in a
 * transaction.
 */
export class EventPartitions {
  constructor(private readonly manager: EntityManager) {}

  /** Makes the missing partitions. Returns the number of tables made. */
  async prepare(): Promise<number> {
    await this.takeTurn();
    const { last, now } = await this.ends();
    // The log may be ahead of the clock of Postgres when that was set back.
    const wanted = [last, now].flatMap((position) => ahead(position / SIZE));
    const known = new Set(await this.names());
    const missing = [...new Set(wanted)].flatMap((index) =>
      DIVIDED_TABLES.map((table) => ({ table, index, name: nameOf(table, index) })).filter(
        ({ name }) => !known.has(name),
      ),
    );
    for (const { table, index, name } of missing) {
      await this.manager.query(attachPartition(table, name, index * SIZE, (index + 1n) * SIZE));
    }
    return missing.length;
  }

  /** Drops the partitions whose range had ended `keptDays` before the present moment. Returns the number of tables dropped. */
  async dropOver(keptDays: number): Promise<number> {
    await this.takeTurn();
    const { now } = await this.ends();
    const before = now - BigInt(keptDays) * 86_400_000_000n;
    const over = (await this.names()).filter((name) => {
      const [, , index] = NAME.exec(name) ?? [];
      return index !== undefined && (BigInt(index) + 1n) * SIZE <= before;
    });
    for (const name of over) await this.manager.query(dropPartition(name));
    return over.length;
  }

  /** Taken before anything is read, so that a process that waits for its turn holds no lock on a table. */
  private async takeTurn(): Promise<void> {
    await this.manager.query(TAKE_TURN);
    await this.manager.query(LIMIT_WAITING);
  }

  private async ends(): Promise<{ last: bigint; now: bigint }> {
    const [row] = await this.manager.query<{ last: string; now: string }[]>(ENDS);
    if (!row) throw new Error('The log has no head');
    return { last: BigInt(row.last), now: BigInt(row.now) };
  }

  private async names(): Promise<string[]> {
    return (await this.manager.query<{ name: string }[]>(PARTITIONS)).map(({ name }) => name);
  }
}

/** The index of a partition and those that are made ahead of it; none for the beginning of an unused log. */
function ahead(index: bigint): bigint[] {
  if (index === 0n) return [];
  return Array.from({ length: Number(AHEAD) + 1 }, (_, step) => index + BigInt(step));
}

function nameOf(table: DividedTable, index: bigint): string {
  return `${table}_${index}`;
}
