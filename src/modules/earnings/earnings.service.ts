import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { RawJson } from '../../platform/http/raw-json.js';
import { Clock } from '../../platform/time/clock.js';
import { EARNINGS, type EarningsRow, STORED_EARNINGS } from './worked-nodes/earnings.sql.js';

/** Reads the earnings of an account. */
@Injectable()
export class EarningsService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the earnings by the indexed chain. Time counts as in the contract: a lapsed window takes effect without a
   * transaction.
   */
  async get(accountId: string): Promise<RawJson> {
    const values = [accountId, this.clock.thisSecond().toISOString()];
    for (const { name, text } of [STORED_EARNINGS, EARNINGS]) {
      const [row] = await this.reads.query<EarningsRow>(name, text, values);
      if (typeof row?.document === 'string') return new RawJson(row.document);
    }
    throw new TypeError('The last statement always has a document');
  }
}
