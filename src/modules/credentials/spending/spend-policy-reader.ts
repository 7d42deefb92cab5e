import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type BoundStatement,
  runPrepared,
  runTogether,
  Transactions,
} from '../../../platform/database/transactions.js';
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
  async find(id: string): Promise<SpendPolicy | null> {
    return policyIn(await this.transactions.lookUp<SpendPolicyRow>(READ_POLICY, [id]));
  }

  /** As `find`; until the transaction of `manager` ends, nobody else spends under it or changes it. */
  async lock(manager: EntityManager, id: string): Promise<SpendPolicy | null> {
    return policyIn(await runPrepared<SpendPolicyRow>(manager, LOCK_POLICY, [id]));
  }

  /** As `lock`, together with a statement that runs once the lock is held. Resolves to the policy and the statement's rows. */
  async lockAnd(
    manager: EntityManager,
    id: string,
    next: BoundStatement,
  ): Promise<{ policy: SpendPolicy | null; rows: object[] }> {
    const [locked = [], rows = []] = await runTogether(manager, [{ ...LOCK_POLICY, values: [id] }, next]);
    return { policy: policyIn(locked as SpendPolicyRow[]), rows };
  }
}

function policyIn([row]: readonly SpendPolicyRow[]): SpendPolicy | null {
  return row === undefined ? null : policyOf(row);
}

function policyOf({ id, per_payment, per_day, in_total, counterparties }: SpendPolicyRow): SpendPolicy {
  const units = (text: string | null) => (text === null ? null : BigInt(text));
  return { id, perPayment: units(per_payment), perDay: units(per_day), inTotal: units(in_total), counterparties };
}
