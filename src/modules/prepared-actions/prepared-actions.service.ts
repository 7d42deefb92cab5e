import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ActionFields, actionIdHash, type ContractCall, type TypedData } from '#libs/contracts';
import { type Hex, newId } from '#libs/kernel';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { holdQuota } from '../../platform/quotas/account-quota.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Clock } from '../../platform/time/clock.js';
import { envelopeOf } from './action/action-envelope.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { actionEvent } from './action/action-event.js';
import { ActionPreflight, type PreflightResult } from './preflight/action-preflight.js';
import { openActionsOf } from './action/action-bounds.sql.js';
import { insertAction } from './action/action-row.js';
import type { PreparedActionDto } from './dto/prepared-action.dto.js';
import { refuseAboveCap } from './money/funding-cap.js';
import { type KindInputs, KindRegistry, type PreparableKind } from './registry/kind-registry.js';
import { PreparedActionEntity } from './action/prepared-action.entity.js';
import type { OriginatingRequest } from './action/originating-request.js';
import type { ActionIntent, CheckedAction } from './action/prepared-kind.js';
import { SigningLinks } from './action/signing-links.js';
import { type CountedSpending, SpendGuard, spendingOf } from './spending/spend-guard.js';
import { WalletNonces } from './nonces/wallet-nonces.js';

/**
 * Seconds for which a signature can be used after its prepared action has expired: an action signed in the last second
 * must still be mined, through a slow block and a re-sent transaction.
 */
const MINING_MARGIN_SECONDS = 60;

/** More actions than one account ever prepares at the same moment in all processes together. */
const CONCURRENT_PREPARATIONS = 200;

/** What is known of an action before it is stored. */
interface Preparation {
  readonly checked: CheckedAction;
  readonly preflight: PreflightResult;
  readonly fields: ActionFields;
  /** Null: it counts for no spend policy. */
  readonly spending: CountedSpending | null;
}

/** Makes prepared actions; nothing else does. It signs nothing, sends nothing and changes no state of a task or node. */
@Injectable()
export class PreparedActionsService {
  constructor(
    private readonly kinds: KindRegistry,
    private readonly preflight: ActionPreflight,
    private readonly nonces: WalletNonces,
    private readonly spending: SpendGuard,
    private readonly links: SigningLinks,
    private readonly transactions: Transactions,
    private readonly chain: ChainConfig,
    private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Checks, encodes, stores and presents one action. All reads, the chain's included, come before the first lock, and
   * everything that is written joins the caller's transaction, so a replay finds either the whole action or none.
   * @throws ApiError 404, 403, 409, in the order of docs/decisions/interface.md#order-of-checks; 503 when the chain is
   * away.
   */
  async prepare<K extends PreparableKind>(
    kind: K,
    intent: ActionIntent,
    input: KindInputs[K],
  ): Promise<PreparedActionDto> {
    const checked = await this.kinds.implementationOf(kind).check(intent, input);
    refuseAboveCap(intent, checked);
    const spending = spendingOf(intent, checked);
    if (spending !== null) await this.spending.refuse(spending);
    const nowMs = this.clock.nowMs();
    const id = newId('act', nowMs);
    const expiresAtSeconds = Math.floor(nowMs / 1000) + this.environment.actionTtlSeconds;
    const usualEnd = expiresAtSeconds + MINING_MARGIN_SECONDS;
    const validUntilSeconds = checked.validUntilSeconds ?? Math.min(usualEnd, checked.latestSeconds ?? usualEnd);
    const { escrowAddress, signer } = checked;
    const nonce = checked.nonce ?? (await this.nonces.peek(this.transactions, escrowAddress, signer));
    const fields: ActionFields = {
      actionId: actionIdHash(id),
      requestDigest: intent.requestDigest,
      nonce,
      validUntil: BigInt(validUntilSeconds),
    };
    const preflight = await this.preflight.run(checked, fields);
    const link = this.links.issue(id);
    const action = Object.assign(new PreparedActionEntity(), {
      id,
      kind,
      scope: checked.scope,
      accountId: intent.accountId,
      clientId: intent.clientId ?? null,
      credentialId: intent.credentialId ?? null,
      request: intent.request ?? null,
      taskId: checked.taskId,
      nodeId: checked.nodeId,
      walletAddress: signer,
      escrowAddress,
      chainId: this.chain.chainId.toString(),
      actionIdHash: fields.actionId,
      requestDigest: intent.requestDigest,
      details: checked.details ?? {},
      signingTokenHash: link.tokenHash,
      signingTokenSealed: link.tokenSealed,
      createdAt: new Date(nowMs),
      expiresAt: new Date(Math.min(expiresAtSeconds, validUntilSeconds) * 1000),
      validUntil: new Date(validUntilSeconds * 1000),
    });
    await this.transactions.run((manager) => this.store(manager, action, { checked, preflight, fields, spending }));
    this.metrics.countPreparedAction(kind);
    return envelopeOf(action, link.url);
  }

  /**
   * As `prepare`, from a stored request.
   * @throws ApiError also `invalid_body` when its body would not be taken today.
   */
  async prepareStored(
    kind: PreparableKind,
    intent: ActionIntent,
    request: OriginatingRequest,
  ): Promise<PreparedActionDto> {
    return this.prepare(kind, intent, this.kinds.implementationOf(kind).inputOf(request));
  }

  /** Takes what no other action may have, completes the action with it, and writes the row and what it is about. */
  private async store(
    manager: EntityManager,
    action: PreparedActionEntity,
    { checked, preflight, fields, spending }: Preparation,
  ): Promise<void> {
    const { escrowAddress, signer } = checked;
    await this.holdQuota(manager, action);
    const reserved = spending === null ? null : await this.spending.reserve(manager, spending);
    await checked.reserve?.(manager);
    action.nodeId = checked.nodeId;
    action.nonce = checked.nonce ?? (await this.nonces.next(manager, escrowAddress, signer, preflight.nonce));
    const signed = { ...fields, nonce: action.nonce };
    const { ready } = preflight;
    action.payload = payloadOf(ready.typedData(signed), ready.directCalls(signed), {
      signer,
      chainId: this.chain.chainId,
    });
    await insertAction(manager, action);
    await reserved?.(action.id);
    await recordEvents(manager, [actionEvent(action, { from: null, to: 'prepared', at: action.createdAt })]);
    await checked.record?.(manager, action);
  }

  /**
   * Each kind has its own quota: many offers, or actions that the scope `read` may prepare, must not keep anybody from
   * delivering or answering in time.
   */
  private holdQuota(manager: EntityManager, { accountId, kind }: PreparedActionEntity): Promise<void> {
    const limit = this.environment.quotaActions;
    return holdQuota(manager, {
      accountId,
      name: `actions/${kind}`,
      limit,
      adding: 1,
      slack: CONCURRENT_PREPARATIONS,
      unit: `prepared actions of the kind ${kind} that were not executed`,
      frees:
        'Execute what is prepared. An action that nobody signs is deleted a day after its last second, one that was ' +
        'signed and not executed after 30 days.',
      used: () => openActionsOf(manager, { accountId, kind, most: limit }),
    });
  }
}

/** Adds the ready calls: one as `transaction`, several as `calls`, to be sent as an ERC-5792 batch or one by one. */
function payloadOf(
  typedData: TypedData,
  calls: readonly ContractCall[],
  { signer, chainId }: { signer: Hex; chainId: number },
): Record<string, unknown> {
  const [only, ...more] = calls;
  if (only === undefined) return { ...typedData };
  if (more.length > 0) return { ...typedData, calls };
  return { ...typedData, transaction: { from: signer, ...only, chainId: `0x${chainId.toString(16)}` } };
}
