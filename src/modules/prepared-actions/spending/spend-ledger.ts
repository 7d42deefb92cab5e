import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runWithNext, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { dayOf, nextDay, spendFault, type Spent } from '../../credentials/spending/spend-limits.js';
import { type SpendPolicy, SpendPolicyReader } from '../../credentials/spending/spend-policy-reader.js';
import { type CountedSpending, SpendGuard } from './spend-guard.js';
import { spendRefusal } from './spend-refusals.js';
import { RESERVE, SPENT, SPENT_AT_MOST, SPENT_OF_EACH, type SpentRow } from './spending.sql.js';

/** A policy with what is taken of it. */
export interface SpendStanding {
  readonly policy: SpendPolicy;
  /** Without meaning where neither the day nor the total is limited. */
  readonly spent: Spent;
  /** When the limit of a day refills. */
  readonly refillsAt: Date;
}

const NO_PAYMENT = '';
const NOTHING: Spent = { today: 0n, inTotal: 0n };

/**
 * Keeps what prepared actions take of spend policies. An action takes its amount when it is prepared, gives it back when it
 * can no longer happen, and keeps it when it is paid: that follows from the action and the chain whenever it is asked, so
 * nothing is written when either changes.
 */
@Injectable()
export class SpendLedger extends SpendGuard {
  constructor(
    private readonly transactions: Transactions,
    private readonly policies: SpendPolicyReader,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async refuse(spending: CountedSpending): Promise<void> {
    const nowMs = this.clock.nowMs();
    const [policy, [atMost]] = await Promise.all([
      this.policies.find(spending.policyId),
      spending.amount === 0n ? [] : this.transactions.lookUp<SpentRow>(SPENT_AT_MOST, valuesOf(spending, nowMs)),
    ]);
    if (policy !== null) await this.check(policy, atMost, spending, nowMs);
  }

  override async reserve(
    manager: EntityManager,
    spending: CountedSpending,
  ): Promise<(actionId: string) => Promise<void>> {
    const { policyId, payment, amount } = spending;
    // One moment for the check and for the row, or a midnight between them would count the payment on the wrong day.
    const nowMs = this.clock.nowMs();
    if (amount === 0n) {
      const policy = await this.policies.lock(manager, policyId);
      if (policy !== null) await this.check(policy, undefined, spending, nowMs);
      return () => Promise.resolve();
    }
    const sum = { ...SPENT_AT_MOST, values: valuesOf(spending, nowMs) };
    const { policy, rows } = await this.policies.lockAnd(manager, policyId, sum);
    if (policy === null) return () => Promise.resolve();
    await this.check(policy, (rows as SpentRow[])[0], spending, nowMs);
    return (actionId) =>
      runWithNext(manager, RESERVE, [actionId, policyId, payment ?? actionId, amount.toString(), dayOf(nowMs)]);
  }

  /** What is taken of a policy now; null when the policy is gone. */
  async standingOf(policyId: string): Promise<SpendStanding | null> {
    const nowMs = this.clock.nowMs();
    const [policy, [row]] = await Promise.all([
      this.policies.find(policyId),
      this.transactions.lookUp<SpentRow>(SPENT, [policyId, NO_PAYMENT, dayOf(nowMs), new Date(nowMs)]),
    ]);
    return policy === null ? null : { policy, spent: spentIn(row), refillsAt: nextDay(nowMs) };
  }

  /** As `standingOf`, of several, by their ids. */
  async standings(policies: readonly SpendPolicy[]): Promise<Map<string, SpendStanding>> {
    const nowMs = this.clock.nowMs();
    const ids = policies.filter(hasSums).map(({ id }) => id);
    const values = [ids, NO_PAYMENT, dayOf(nowMs), new Date(nowMs)];
    const rows =
      ids.length === 0 ? [] : await this.transactions.lookUp<SpentRow & { id: string }>(SPENT_OF_EACH, values);
    const spent = new Map(rows.map((row) => [row.id, spentIn(row)]));
    const refillsAt = nextDay(nowMs);
    return new Map(
      policies.map((policy) => [policy.id, { policy, spent: spent.get(policy.id) ?? NOTHING, refillsAt }]),
    );
  }

  /** @param atMost at least what is taken; not asked for where it does not matter. */
  private async check(
    policy: SpendPolicy,
    atMost: SpentRow | undefined,
    spending: CountedSpending,
    nowMs: number,
  ): Promise<void> {
    const { amount } = spending;
    const first = spendFault(policy, amount === 0n ? NOTHING : spentIn(atMost), spending, nowMs);
    if (first === null) return;
    // What was spent makes no difference to these.
    if (first.limit === 'counterparties' || first.limit === 'per_payment') throw spendRefusal(first, amount);
    // Only now what was given back is looked for, which takes a look at each action.
    const [row] = await this.transactions.lookUp<SpentRow>(SPENT, [...valuesOf(spending, nowMs), new Date(nowMs)]);
    const fault = spendFault(policy, spentIn(row), spending, nowMs);
    if (fault !== null) throw spendRefusal(fault, amount);
  }
}

/** Values of `SPENT_AT_MOST`: of the policy, without the payment itself. */
function valuesOf({ policyId, payment }: CountedSpending, nowMs: number): unknown[] {
  return [policyId, payment ?? NO_PAYMENT, dayOf(nowMs)];
}

/** True when what was spent is of interest. */
function hasSums({ perDay, inTotal }: SpendPolicy): boolean {
  return perDay !== null || inTotal !== null;
}

function spentIn(row: SpentRow | undefined): Spent {
  if (row === undefined) throw new Error('A sum has one row');
  return { today: BigInt(row.today), inTotal: BigInt(row.in_total) };
}
