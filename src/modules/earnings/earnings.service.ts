import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { Clock } from '../../platform/time/clock.js';
import { EarningsDto, type EarningsRow } from './dto/earnings.dto.js';
import { EARNINGS } from './worked-nodes/earnings.sql.js';

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
  async get(accountId: string): Promise<EarningsDto> {
    const now = new Date(this.clock.nowSeconds() * 1000).toISOString();
    const [first, ...rest] = await this.reads.query<EarningsRow>(EARNINGS.name, EARNINGS.text, [accountId, now]);
    if (!first) throw new TypeError('The statement always has a row');
    return EarningsDto.from([first, ...rest]);
  }
}
