import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import type { SpendLimits } from './spend-limits.js';
import { LOCK_POLICY, READ_POLICY, type SpendPolicyRow } from './spend-policies.sql.js';

/** Limits with the id that keys, tokens and reservations name them by. */
export interface SpendPolicy extends SpendLimits {
  readonly id: string;
}

/** Reads spend policies for whoever spends under them. */
@Injectable()
export class SpendPolicyReader {
  constructor(private readonly transactions: Transactions) {}

  /** The policy; null when it is gone. */
  find(id: string): Promise<SpendPolicy | null> {
    return this.read(this.transactions.manager, READ_POLICY, id);
  }

  /** As `find`; until the transaction of `manager` ends, nobody else spends under it or changes it. */
  lock(manager: EntityManager, id: string): Promise<SpendPolicy | null> {
    return this.read(manager, LOCK_POLICY, id);
  }

  private async read(manager: EntityManager, statement: PreparedStatement, id: string): Promise<SpendPolicy | null> {
    const [row] = await runPrepared<SpendPolicyRow>(manager, statement, [id]);
    return row === undefined ? null : policyOf(row);
  }
}

function policyOf({ id, per_payment, per_day, in_total, counterparties }: SpendPolicyRow): SpendPolicy {
  const units = (text: string | null) => (text === null ? null : BigInt(text));
  return { id, perPayment: units(per_payment), perDay: units(per_day), inTotal: units(in_total), counterparties };
}
