import { Injectable } from '@nestjs/common';
import { checksumAddress, encodeBalanceOfCall, encodeTokenTransfer } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { type ActionStatus, holdsOnceSigned } from '#libs/prepared-action';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { ChainSimulation, type SimulatedCall, type SimulatedTransfer } from '../../../platform/chain/simulation.js';
import { ActionsService } from '../../prepared-actions/lifecycle/actions.service.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { unwrittenOf } from '../../prepared-actions/money/pending-finalizations.js';
import { refusalOf } from '../../prepared-actions/preflight/revert-refusals.js';
import type { BalanceChange, SimulationAnswer } from '#libs/approval-wire';
import { expectedMoney } from './expected-money.js';
import { payloadCalls } from '../paymaster/payload-calls.js';

const UNAVAILABLE: SimulationAnswer = {
  source: 'unavailable',
  balances: [],
  would_revert: null,
  gas: null,
  block: null,
};

/** Answer for an action whose signature alone is kept: nothing is ever sent for it and there is no fee. */
const NO_TRANSACTION: SimulationAnswer = { ...UNAVAILABLE, source: 'no_transaction' };

/** Statuses in which the action can still take effect. */
const AHEAD: readonly ActionStatus[] = ['prepared', 'opened', 'signed', 'unknown'];

/** The calls to simulate for an action. */
interface Attempt {
  calls: readonly SimulatedCall[];
  /** True: a plain transfer of the same amount replaces a call that needs the signature. */
  isStandIn: boolean;
}

/** Simulates actions on the chain's latest state. */
@Injectable()
export class ApprovalSimulations {
  constructor(
    private readonly simulation: ChainSimulation,
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
    private readonly actions: ActionsService,
  ) {}

  /**
   * Simulates an action. The answer is `unavailable`, and no error, when the chain cannot be reached or there is no
   * call before the signature. An action that has no transaction gets `no_transaction`.
   */
  async simulate(action: PreparedActionEntity): Promise<SimulationAnswer> {
    return holdsOnceSigned(action.kind) ? NO_TRANSACTION : ((await this.tried(action)) ?? UNAVAILABLE);
  }

  /** Runs the simulation; null when nothing can be simulated now. */
  private async tried(action: PreparedActionEntity): Promise<SimulationAnswer | null> {
    try {
      const attempt = await this.attemptOf(action);
      return attempt === null ? null : await this.run(action, attempt);
    } catch (error) {
      if (error instanceof ChainUnavailableError) return null;
      throw error;
    }
  }

  private async attemptOf(action: PreparedActionEntity): Promise<Attempt | null> {
    const { status, transaction: sendable } = await this.actions.present(action);
    if (!AHEAD.some((ahead) => ahead === status)) return null;
    const wallet = checksumAddress(action.walletAddress);
    if (sendable) return { calls: [callOf({ ...sendable, from: sendable.from ?? wallet })], isStandIn: false };
    const ready = payloadCalls(action).map(({ to, data }) => ({ from: wallet, to, data }));
    if (ready.length > 0) return { calls: ready, isStandIn: false };
    const money = expectedMoney(action);
    if (money === null) return null;
    const data = encodeTokenTransfer(money.to, money.amount);
    return { calls: [{ from: money.from, to: this.config.usdcAddress, data }], isStandIn: true };
  }

  private async run(action: PreparedActionEntity, { calls, isStandIn }: Attempt): Promise<SimulationAnswer> {
    const [{ source, transfers, failure, skipped, gasUnits, block }, gasPrice] = await Promise.all([
      this.simulation.run(calls),
      this.simulation.gasPrice(),
    ]);
    const money = expectedMoney(action);
    // A batch goes through although a member fails, so only traces tell whether the action itself is done.
    const finalized = unwrittenOf(action.details).length;
    const isBatch = !isStandIn && finalized > 0;
    if (isBatch && source === 'eth_call' && failure === null) return { ...UNAVAILABLE, block };
    const isSkipped = skipped.some(({ index }) => index === finalized);
    const isUnpaid = money !== null && !transfers.some((moved) => isSameTransfer(moved, money));
    if (isBatch && failure === null && (isSkipped || isUnpaid)) {
      return { source, balances: [], would_revert: { reason: SKIPPED }, gas: null, block };
    }
    // Without traces, only the typed data says which money moves. A failing call moves none.
    const known = source === 'eth_call' && money !== null ? [money] : transfers;
    const gas = gasUnits === null || isStandIn ? null : gasUnits;
    return {
      source,
      balances: failure === null ? await this.changes(action, known, block) : [],
      would_revert: failure === null ? null : { reason: refusalOf(failure.revert).reason },
      gas: gas === null ? null : { units: gas.toString(), eth: (gas * gasPrice).toString() },
      block,
    };
  }

  private changes(
    { walletAddress, escrowAddress }: PreparedActionEntity,
    transfers: readonly SimulatedTransfer[],
    block: number,
  ): Promise<BalanceChange[]> {
    const labels = new Map<string, BalanceChange['label']>([
      [walletAddress.toLowerCase(), 'wallet'],
      [escrowAddress.toLowerCase(), 'escrow'],
    ]);
    const changed = [...netChanges(transfers)].filter(([, change]) => change !== 0n);
    return Promise.all(
      changed.map(async ([wallet, change]) => {
        const before = await this.balanceAt(wallet, block);
        const label = labels.get(wallet.toLowerCase()) ?? 'other';
        const after = (before + change).toString();
        return { wallet, label, before: before.toString(), after, change: change.toString() };
      }),
    );
  }

  private async balanceAt(account: Hex, block: number): Promise<bigint> {
    return BigInt(await this.chain.call({ to: this.config.usdcAddress, data: encodeBalanceOfCall(account) }, block));
  }
}

/** What a person reads when a batch would only finalize nodes. */
const SKIPPED = 'Only the jobs whose time is over would be finalized; the action itself would fail.';

function isSameTransfer(one: SimulatedTransfer, other: SimulatedTransfer): boolean {
  const accounts = ({ from, to }: SimulatedTransfer): string => `${from} ${to}`.toLowerCase();
  return accounts(one) === accounts(other) && one.amount === other.amount;
}

/** Net change of each account, base units. */
function netChanges(transfers: readonly SimulatedTransfer[]): Map<Hex, bigint> {
  const changes = new Map<Hex, bigint>();
  for (const { from, to, amount } of transfers) {
    changes.set(from, (changes.get(from) ?? 0n) - amount);
    changes.set(to, (changes.get(to) ?? 0n) + amount);
  }
  return changes;
}

function callOf({ from, to, data }: SimulatedCall): SimulatedCall {
  return { from, to, data };
}
