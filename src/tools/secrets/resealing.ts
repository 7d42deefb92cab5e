import type { Transactions } from '../../platform/database/transactions.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import type { SealedColumn } from './stored-secrets.sql.js';

/** How many values of a column are in which state. */
export interface SealedCounts {
  /** Sealed under the current secret already. */
  current: number;
  /** Sealed anew just now. */
  resealed: number;
  /** Still sealed under a previous secret. */
  previous: number;
  /** Sealed under a secret that is not in the ring. */
  unreadable: number;
}

interface SealedRow {
  key: string | Buffer;
  binding: string;
  sealed: Buffer;
}

const BATCH = 500;

/**
 * Seals a column anew, in batches that are each a transaction, so that a run that is stopped loses nothing and can be
 * run again. A value that changed since it was read is left as it is now.
 */
export class Resealing {
  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
  ) {}

  /** @param writes false: only counts. */
  async run(column: SealedColumn, writes: boolean): Promise<SealedCounts> {
    const counts: SealedCounts = { current: 0, resealed: 0, previous: 0, unreadable: 0 };
    let behind: SealedRow['key'] | null = null;
    for (;;) {
      const rows: SealedRow[] = await this.transactions.manager.query<SealedRow[]>(column.read, [behind, BATCH]);
      const outdated = rows.flatMap((row) => this.renewed(column, row, counts));
      counts.previous += outdated.length;
      if (writes && outdated.length > 0) await this.write(column, outdated, counts);
      behind = rows.at(-1)?.key ?? null;
      if (rows.length < BATCH) return counts;
    }
  }

  /**
   * The row and its value sealed anew, if a previous secret sealed it; otherwise an empty list, and the row is counted.
   */
  private renewed({ purpose }: SealedColumn, row: SealedRow, counts: SealedCounts) {
    const opened = this.sealer.unseal(purpose, row.sealed, row.binding);
    if (opened?.age === 'previous') return [{ row, after: this.sealer.seal(purpose, opened.plain, row.binding) }];
    if (opened) counts.current += 1;
    else counts.unreadable += 1;
    return [];
  }

  private async write(
    { write }: SealedColumn,
    outdated: readonly { row: SealedRow; after: Buffer }[],
    counts: SealedCounts,
  ): Promise<void> {
    const values = [
      outdated.map(({ row }) => row.key),
      outdated.map(({ row }) => row.sealed),
      outdated.map(({ after }) => after),
    ];
    // TypeORM answers an UPDATE with its rows and their number.
    const [, written] = await this.transactions.manager.query<[unknown[], number]>(write, values);
    counts.resealed += written;
    counts.previous -= written;
  }
}
