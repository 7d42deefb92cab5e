import { Injectable } from '@nestjs/common';
import type { DecodedRevert } from '#libs/contracts';
import { formatUsdc } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { type TransferFault, UsdcToken } from '../../../platform/chain/usdc-token.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { HiredNodes } from '../../earnings/hired-nodes.js';
import { boundedCall } from '../preflight/bounded-call.js';
import { type FundingModeName, FundingSource, type Payment } from './funding-source.js';
import type { TriedCall } from '../action/prepared-kind.js';
import { refusalOf } from '../preflight/revert-refusals.js';
import { PendingFinalizations } from './pending-finalizations.js';
import { lapsedOf } from './refund-balances.js';

/** An account that has paid for nodes of a task. */
interface Hirer {
  readonly accountId: string;
  readonly taskId: string;
}

/** Chooses how a payment is made, and refuses what the token would refuse, by the chain's latest state. */
@Injectable()
export class FundingSources {
  constructor(
    private readonly chain: ChainClient,
    private readonly token: UsdcToken,
    private readonly config: ChainConfig,
    private readonly hired: HiredNodes,
    private readonly ends: PendingFinalizations,
    private readonly clock: Clock,
  ) {}

  /**
   * Chooses the mode of a payment: the one that is asked for; else the payer's refund balance in the tree where that is
   * enough; else an EIP-3009 authorization for a wallet without code, and an allowance for one with code, because the
   * token asks that code about a signature that does not exist yet.
   * @param hirer the account that pays for nodes of this task, whose wallet may have got money back by a passed time limit
   * that nobody has finalized: it counts as refund balance, and the call finalizes as few nodes as it needs.
   * @throws ApiError `state_conflict` when the money would not move in that mode now; `service_unavailable`.
   */
  async choose(payment: Payment, asked?: FundingModeName, hirer?: Hirer): Promise<FundingSource> {
    const { payer, escrowAddress, amount } = payment;
    const [code, written, balance, allowance, permitNonce, fault] = await Promise.all([
      this.chain.codeAt(payer),
      this.chain.refundOf(escrowAddress, payer),
      this.token.balanceOf(payer),
      this.token.allowance(payer, escrowAddress),
      this.token.permitNonce(payer),
      this.token.transferFault(payer, escrowAddress, amount),
    ]);
    const isLacking = written < amount && (asked === undefined || asked === 'refund_balance');
    const hired = hirer && isLacking ? await this.hired.ofTask(hirer.accountId, hirer.taskId) : [];
    const lapsed = lapsedOf(hired, payer, this.clock.nowSeconds());
    const returns = await this.ends.returnsOf(escrowAddress, lapsed, amount - written);
    const refund = written + returns.amount;
    const name = asked ?? automaticMode({ hasCode: code !== '0x', coveredByRefund: refund >= amount });
    if (name === 'refund_balance') refuseSmallRefund(refund, amount);
    else refuseUnmovable(fault, balance, amount);
    const standing = { tokenDomain: this.config.usdcDomain, allowance, permitNonce };
    return new FundingSource(name, payment, standing, name === 'refund_balance' ? returns.paths : []);
  }

  /** A payment out of the parent node, which never leaves the escrow. */
  fromParentNode(payment: Payment): FundingSource {
    const { usdcDomain: tokenDomain } = this.config;
    return new FundingSource('parent_node', payment, { tokenDomain, allowance: 0n, permitNonce: 0n });
  }

  /**
   * Tries a call that stands in for the signed one (`FundingSource.trialFunding`). A missing allowance counts as success,
   * because it is the last thing that is checked.
   * @throws ApiError what `refuse` makes of a revert, or else its general meaning; `service_unavailable`.
   */
  async tryOut(call: TriedCall, refuse: (revert: DecodedRevert) => ApiError | null): Promise<void> {
    const outcome = await this.chain.rawCall(boundedCall(call));
    if (!outcome.reverted || lacksOnlyAllowance(outcome.revert)) return;
    const { revert } = outcome;
    throw (revert === null ? null : refuse(revert)) ?? refusalOf(revert);
  }
}

function automaticMode({ hasCode, coveredByRefund }: { hasCode: boolean; coveredByRefund: boolean }): FundingModeName {
  if (coveredByRefund) return 'refund_balance';
  return hasCode ? 'allowance' : 'authorization';
}

function refuseSmallRefund(refund: bigint, amount: bigint): void {
  if (refund >= amount) return;
  throw new ApiError(
    'state_conflict',
    `The wallet's refund balance in this tree is ${formatUsdc(amount - refund)} USDC too small.`,
    'Leave funding_mode out, or name one that brings money from the wallet.',
  );
}

function refuseUnmovable(fault: TransferFault | null, balance: bigint, amount: bigint): void {
  if (fault === 'paused') {
    throw new ApiError(
      'state_conflict',
      'USDC is paused by its issuer; nothing can be paid in now.',
      'Try again later.',
    );
  }
  if (fault === 'blocked') {
    throw new ApiError('state_conflict', "The wallet or the escrow is on the deny list of USDC's issuer.");
  }
  if (balance < amount) {
    throw new ApiError(
      'state_conflict',
      `The wallet has too little USDC: ${formatUsdc(amount - balance)} USDC are missing.`,
      'Bring the missing amount to the wallet and try again.',
    );
  }
  if (fault === 'refused') throw new ApiError('state_conflict', 'USDC would refuse to move the money now.');
}

/** The local token reverts with an error of its own, the real one with a text. */
function lacksOnlyAllowance(revert: DecodedRevert | null): boolean {
  if (revert === null) return false;
  if (revert.name === 'ERC20InsufficientAllowance') return true;
  return revert.name === 'Error' && String(revert.args['value']).includes('exceeds allowance');
}
