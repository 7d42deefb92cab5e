import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runPrepared, runWithNext, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { dayOf, leftOf, nextDay, spendFault, type Spent } from '../../credentials/spending/spend-limits.js';
import { type SpendPolicy, SpendPolicyReader } from '../../credentials/spending/spend-policy-reader.js';
import { type CountedSpending, SpendGuard } from './spend-guard.js';
import { spendRefusal } from './spend-refusals.js';
import { RESERVE, SPENT, SPENT_AT_MOST, type SpentRow } from './spending.sql.js';

/** A policy with what is taken of it. Amounts are base units; null: no such limit. */
export interface SpendStanding {
  readonly policy: SpendPolicy;
  readonly spent: Spent;
  readonly leftToday: bigint | null;
  readonly leftInTotal: bigint | null;
  /** When the limit of a day refills. */
  readonly refillsAt: Date;
}

const NO_PAYMENT = '';

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
    const policy = await this.policies.find(spending.policyId);
    if (policy !== null) await this.check(this.transactions.manager, policy, spending, this.clock.nowMs());
  }

  override async reserve(
    manager: EntityManager,
    spending: CountedSpending,
  ): Promise<(actionId: string) => Promise<void>> {
    const { policyId, payment, amount } = spending;
    const policy = await this.policies.lock(manager, policyId);
    if (policy === null) return () => Promise.resolve();
    // One moment for the check and for the row, or a midnight between them would count the payment on the wrong day.
    const nowMs = this.clock.nowMs();
    await this.check(manager, policy, spending, nowMs);
    if (amount === 0n) return () => Promise.resolve();
    return (actionId) =>
      runWithNext(manager, RESERVE, [actionId, policyId, payment ?? actionId, amount.toString(), dayOf(nowMs)]);
  }

  /** What is taken and left of a policy now; null when the policy is gone. */
  async standingOf(policyId: string): Promise<SpendStanding | null> {
    const policy = await this.policies.find(policyId);
    return policy === null ? null : this.standing(policy);
  }

  /** As `standingOf`, of several, by their ids. */
  async standings(policyIds: readonly string[]): Promise<Map<string, SpendStanding>> {
    const found = await Promise.all([...new Set(policyIds)].map((id) => this.standingOf(id)));
    return new Map(found.flatMap((standing) => (standing === null ? [] : [[standing.policy.id, standing]])));
  }

  private async standing(policy: SpendPolicy): Promise<SpendStanding> {
    const nowMs = this.clock.nowMs();
    const spent = await this.spent(this.transactions.manager, policy.id, NO_PAYMENT, nowMs);
    const { perDay, inTotal } = policy;
    return {
      policy,
      spent,
      leftToday: perDay === null ? null : leftOf(perDay, spent.today),
      leftInTotal: inTotal === null ? null : leftOf(inTotal, spent.inTotal),
      refillsAt: nextDay(nowMs),
    };
  }

  private async check(
    manager: EntityManager,
    policy: SpendPolicy,
    spending: CountedSpending,
    nowMs: number,
  ): Promise<void> {
    const payment = spending.payment ?? NO_PAYMENT;
    const values = [policy.id, payment, dayOf(nowMs)];
    const [atMost] = await runPrepared<SpentRow>(manager, SPENT_AT_MOST, values);
    if (spendFault(policy, spentIn(atMost), spending, nowMs) === null) return;
    // Only now what was given back is looked for, which takes a look at each action.
    const fault = spendFault(policy, await this.spent(manager, policy.id, payment, nowMs), spending, nowMs);
    if (fault !== null) throw spendRefusal(fault, spending.amount);
  }

  private async spent(manager: EntityManager, policyId: string, payment: string, nowMs: number): Promise<Spent> {
    const [row] = await runPrepared<SpentRow>(manager, SPENT, [policyId, payment, dayOf(nowMs), new Date(nowMs)]);
    return spentIn(row);
  }
}

function spentIn(row: SpentRow | undefined): Spent {
  if (row === undefined) throw new Error('A sum has one row');
  return { today: BigInt(row.today), inTotal: BigInt(row.in_total) };
}
