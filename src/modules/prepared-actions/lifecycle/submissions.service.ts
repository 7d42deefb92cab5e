import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Hex } from '#libs/kernel';
import type { ActionStatus } from '#libs/prepared-action';
import { CHECK_GAS } from '../../../platform/chain/foreign-gas.js';
import { WalletSignatures } from '../../../platform/chain/wallet-signatures.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { Clock } from '../../../platform/time/clock.js';
import { ScopeCheck } from '../../credentials/guards/scope-check.js';
import { tellAction } from '../action/action-event.js';
import { ActionHistory, type SeenTransaction } from './action-history.js';
import type { ActionSubmission } from './action-submission.js';
import { ActionsService } from './actions.service.js';
import type { ActionDto } from '../dto/action.dto.js';
import { isPreparableKind, KindRegistry, type PreparableKind } from '../registry/kind-registry.js';
import { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { payloadDigest } from '../payload/payload-digest.js';

/** Statuses in which a submission is useless, and the words of the refusal. */
const REFUSALS: Partial<Record<ActionStatus, readonly [reason: string, suggestion: string]>> = {
  declined: ['The action was declined.', 'Prepare it again if it is wanted after all.'],
  confirmed: ['The action has been executed.', 'There is nothing left to do; read the resource.'],
  final: ['The action has been executed.', 'There is nothing left to do; read the resource.'],
  superseded: [
    'The chain no longer allows this action.',
    'Read the resource again; its state says what can be done now.',
  ],
};

/** Who hands in: the caller of the interface, or the approval page for the principal of the action. */
type Submitter = Pick<Principal, 'accountId' | 'scopes'> & Partial<Principal>;

/** Takes signatures and transaction hashes of actions. It sends nothing: that is for the wallet, or whoever it asks. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly actions: ActionsService,
    private readonly history: ActionHistory,
    private readonly kinds: KindRegistry,
    private readonly signatures: WalletSignatures,
    private readonly scopes: ScopeCheck,
    private readonly clock: Clock,
  ) {}

  /** Takes a signature or a transaction hash, see `submitSignature` and `submitTransaction`. */
  submit(principal: Submitter, actionId: string, submission: ActionSubmission): Promise<ActionDto> {
    return 'signature' in submission
      ? this.submitSignature(principal, actionId, submission.signature)
      : this.submitTransaction(principal, actionId, submission.transactionHash);
  }

  /**
   * Verifies and stores a signature, and writes what follows from it at once; the answer holds the call that takes it to
   * the chain. The same signature again gives the same answer; another valid one of the same wallet replaces it.
   * @throws ApiError `not_found`, `insufficient_scope`, `window_closed` after the action's time, `state_conflict` when
   * it was executed or superseded, `wallet_mismatch` when the expected wallet did not sign exactly this payload.
   */
  async submitSignature(principal: Submitter, actionId: string, signature: Hex): Promise<ActionDto> {
    const action = await this.find(principal, actionId);
    const kind = this.kinds.implementationOf(kindOf(action));
    const { status } = await this.history.statusOf(action);
    refuseUseless(status);
    if (action.signature === null && this.clock.nowMs() > action.expiresAt.getTime()) {
      throw new ApiError('window_closed', 'The action has expired.', 'Prepare it again.');
    }
    await this.verify(action, signature);
    const call = await kind.signedCall(action, signature);
    const seen = await this.history.seenNow(action, action.transactionHash);
    const signed = await this.change(action, async (manager, current) => {
      const signedAt = this.clock.now();
      Object.assign(current, { signature, signedAt });
      await kind.onSigned?.(manager, current, signature);
      await tellAction(manager, current, 'signed', signedAt);
    });
    return this.actions.present(signed, call, seen);
  }

  /**
   * Stores the hash of the transaction that the wallet says it has sent, unless the chain does not know it but knows the
   * one that was handed in before. Only what the chain shows of the transaction has an effect.
   * @throws ApiError `not_found`, `insufficient_scope`, `state_conflict` when the action was executed or superseded.
   */
  async submitTransaction(principal: Submitter, actionId: string, transactionHash: Hex): Promise<ActionDto> {
    const action = await this.find(principal, actionId);
    const { status, transactionHash: executedBy } = await this.history.statusOf(action);
    const hash = toLowerHex(transactionHash);
    if (executedBy !== hash) refuseUseless(status);
    const [call, seen] = await Promise.all([this.actions.signedCall(action), this.seenOf(action, hash)]);
    const sent = await this.change(action, async (manager, current) => {
      // The chain was not asked about a hash that was handed in meanwhile, so that one is replaced like an unknown one.
      const isKept = seen.hash !== hash && current.transactionHash === seen.hash;
      const now = this.clock.now();
      if (!isKept) Object.assign(current, { transactionHash: hash, submittedAt: now });
      if (isOnChain(seen)) await this.kinds.implementationOf(kindOf(current)).onSent?.(manager, current);
      if (isOnChain(seen)) await tellAction(manager, current, 'submitted', now);
      else if (seen.outcome?.kind === 'reverted') await tellAction(manager, current, 'failed', now);
    });
    return this.actions.present(sent, call, seen);
  }

  /** What the chain says of the new transaction; of the one handed in before, when the chain knows only that one. */
  private async seenOf(action: PreparedActionEntity, hash: Hex): Promise<SeenTransaction> {
    const { transactionHash: before } = action;
    const seen = await this.history.seenNow(action, hash);
    if (before === null || before === hash || seen.outcome?.kind !== 'unseen') return seen;
    const known = await this.history.seenNow(action, before);
    return isOnChain(known) ? known : seen;
  }

  private async find(principal: Submitter, actionId: string): Promise<PreparedActionEntity> {
    const action = await this.actions.find(principal.accountId, actionId);
    this.scopes.require(principal, action.scope);
    return action;
  }

  private async verify({ payload, walletAddress, accountId }: PreparedActionEntity, signature: Hex): Promise<void> {
    const { digest, checker } = payloadDigest(payload);
    if (await this.signatures.isValid(digest, signature, walletAddress, checker, accountId)) return;
    throw new ApiError(
      'wallet_mismatch',
      "The signature is not the expected wallet's over this payload.",
      'Sign the payload as it was returned, with the wallet that `wallet_address` names; a contract must agree within ' +
        `${CHECK_GAS} gas.`,
    );
  }

  /**
   * Changes the row under its lock, so that two submissions follow each other. The chain was asked before, so that no
   * connection and no lock waits for it or for a wallet contract that it runs.
   */
  private change(
    { id }: PreparedActionEntity,
    change: (manager: EntityManager, current: PreparedActionEntity) => Promise<void>,
  ): Promise<PreparedActionEntity> {
    return this.transactions.run(async (manager) => {
      const current = await manager.findOneOrFail(PreparedActionEntity, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      // Declined in the meantime: a signature that is no longer wanted is not stored.
      if (current.declinedAt !== null) refuseUseless('declined');
      await change(manager, current);
      const { signature, signedAt, transactionHash, submittedAt, toldStatus } = current;
      const changed = { signature, signedAt, transactionHash, submittedAt, toldStatus };
      await manager.update(PreparedActionEntity, { id }, changed);
      return current;
    });
  }
}

/** True for a transaction that waits for a block, or that is in one and did not fail with the action. */
function isOnChain({ outcome }: SeenTransaction): boolean {
  return outcome?.kind === 'pending' || outcome?.kind === 'mined';
}

function kindOf({ kind }: PreparedActionEntity): PreparableKind {
  if (!isPreparableKind(kind)) throw new Error('A stored action is of a kind that this release does not know');
  return kind;
}

function refuseUseless(status: ActionStatus): void {
  const refusal = REFUSALS[status];
  if (refusal) throw new ApiError('state_conflict', ...refusal);
}

function toLowerHex(hash: Hex): Hex {
  return `0x${hash.slice(2).toLowerCase()}`;
}
