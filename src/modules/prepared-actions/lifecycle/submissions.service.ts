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
import { ActionHistory, type SeenTransactions } from './action-history.js';
import type { ActionSubmission } from './action-submission.js';
import { ActionsService } from './actions.service.js';
import type { HandedInTransaction } from '../action/action-status.js';
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
    const seen = await this.history.seenNow(action, action.transactionHash, action.secondHash);
    const signed = await this.change(action, async (manager, current) => {
      const signedAt = this.clock.now();
      Object.assign(current, { signature, signedAt });
      await kind.onSigned?.(manager, current, signature);
      await tellAction(manager, current, 'signed', signedAt);
    });
    return this.actions.present(signed, call, seen);
  }

  /**
   * Stores the hash of the transaction that the wallet says it has sent. Where the chain does not know it but knows the one
   * that was handed in before, it is stored beside that one, in place of any other. Only what the chain shows of a
   * transaction has an effect.
   * @throws ApiError `not_found`, `insufficient_scope`, `state_conflict` when the action was executed or superseded.
   */
  async submitTransaction(principal: Submitter, actionId: string, transactionHash: Hex): Promise<ActionDto> {
    const action = await this.find(principal, actionId);
    const { status, transactionHash: executedBy } = await this.history.statusOf(action);
    const hash = toLowerHex(transactionHash);
    if (executedBy !== hash) refuseUseless(status);
    const [call, seen] = await Promise.all([this.actions.signedCall(action), this.seenOf(action, hash)]);
    const sent = await this.change(action, async (manager, current) => {
      const now = this.clock.now();
      Object.assign(current, withTransaction(current, { hash, at: now }, seen));
      const outcome = current.transactionHash === null ? undefined : seen.get(current.transactionHash);
      if (isOnChain(outcome)) await this.kinds.implementationOf(kindOf(current)).onSent?.(manager, current);
      if (isOnChain(outcome)) await tellAction(manager, current, 'submitted', now);
      else if (outcome?.kind === 'reverted') await tellAction(manager, current, 'failed', now);
    });
    return this.actions.present(sent, call, seen);
  }

  /** What the chain says of the new transaction and, while it does not know that one, of those handed in before. */
  private async seenOf(action: PreparedActionEntity, hash: Hex): Promise<SeenTransactions> {
    const seen = await this.history.seenNow(action, hash);
    if (isAnswered(seen.get(hash))) return seen;
    const before = [action.transactionHash, action.secondHash].filter((one) => one !== hash);
    return new Map([...seen, ...(await this.history.seenNow(action, ...before))]);
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
      const { signature, signedAt, transactionHash, submittedAt, secondHash, secondAt, isAwaited, toldStatus } =
        current;
      const ofTransactions = { transactionHash, submittedAt, secondHash, secondAt, isAwaited };
      const changed = { signature, signedAt, ...ofTransactions, toldStatus };
      await manager.update(PreparedActionEntity, { id }, changed);
      return current;
    });
  }
}

/** What a row remembers of its transactions. */
type RememberedTransactions = Pick<
  PreparedActionEntity,
  'transactionHash' | 'submittedAt' | 'secondHash' | 'secondAt' | 'isAwaited'
>;

/** What an action remembers of its transactions once a hash was handed in, by what the chain says of all of them. */
function withTransaction(
  current: PreparedActionEntity,
  { hash, at }: { hash: Hex; at: Date },
  seen: SeenTransactions,
): Partial<RememberedTransactions> {
  const isAwaited = !isAnswered(seen.get(hash));
  const alone = { transactionHash: hash, submittedAt: at, secondHash: null, secondAt: null, isAwaited };
  const first = { hash: current.transactionHash, at: current.submittedAt };
  // The same again: what was handed in beside it may still take its place.
  const again = first.hash === hash ? { submittedAt: at } : null;
  if (!isAwaited) return again ?? alone;
  const others = [{ hash: current.secondHash, at: current.secondAt }, first].filter((one) => one.hash !== hash);
  // The chain was not asked about a hash that was handed in meanwhile, so that one is replaced like an unknown one.
  const saysOf = (one: typeof first): HandedInTransaction | undefined =>
    one.hash === null ? undefined : seen.get(one.hash);
  const kept =
    others.find((one) => isOnChain(saysOf(one))) ?? others.find((one) => saysOf(one)?.kind === 'unreachable');
  if (kept !== undefined) {
    return { transactionHash: kept.hash, submittedAt: kept.at, secondHash: hash, secondAt: at, isAwaited };
  }
  return again === null ? alone : { ...again, isAwaited };
}

/** True where the chain has said of a transaction what has become of it so far. */
function isAnswered(outcome: HandedInTransaction | undefined): boolean {
  return outcome !== undefined && outcome.kind !== 'unseen' && outcome.kind !== 'unreachable';
}

/** True for a transaction that waits for a block, or that is in one and did not fail with the action. */
function isOnChain(outcome: HandedInTransaction | undefined): boolean {
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
