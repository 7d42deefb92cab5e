import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ActionFields, actionIdHash, contractCall } from '#libs/contracts';
import { newId } from '#libs/kernel';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Clock } from '../../platform/time/clock.js';
import type { PreparableKind } from './action-kind.js';
import { ActionPreflight, type PreflightResult } from './action-preflight.js';
import { insertAction } from './action-row.js';
import { PreparedActionDto } from './dto/prepared-action.dto.js';
import { KindRegistry } from './kind-registry.js';
import { PreparedActionEntity } from './prepared-action.entity.js';
import type { ActionIntent, CheckedAction } from './prepared-kind.js';
import { SigningLinks } from './signing-links.js';
import { WalletNonces } from './wallet-nonces.js';

/** Makes prepared actions; nothing else does. It signs nothing, sends nothing and changes no state of a task or node. */
@Injectable()
export class PreparedActionsService {
  constructor(
    private readonly kinds: KindRegistry,
    private readonly preflight: ActionPreflight,
    private readonly nonces: WalletNonces,
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
   * @throws ApiError in the fixed order of design/interface.md §7: 404, 403, 409; 503 when the chain is away.
   */
  async prepare(kind: PreparableKind, intent: ActionIntent): Promise<PreparedActionDto> {
    const definition = this.kinds.of(kind);
    const checked = await definition.check(intent);
    const nowMs = this.clock.nowMs();
    const id = newId('act', nowMs);
    const expiresAtSeconds = Math.floor(nowMs / 1000) + this.environment.actionTtlSeconds;
    const fields: ActionFields = {
      actionId: actionIdHash(id),
      requestDigest: intent.requestDigest,
      nonce: await this.nonces.peek(this.transactions.manager, checked.escrowAddress, checked.signer),
      validUntil: BigInt(expiresAtSeconds),
    };
    const ready = await this.preflight.run(checked, fields);
    const link = this.links.issue(id);
    const action = Object.assign(new PreparedActionEntity(), {
      id,
      kind,
      scope: definition.scope,
      accountId: intent.accountId,
      taskId: checked.taskId,
      nodeId: checked.nodeId,
      walletAddress: checked.signer,
      escrowAddress: checked.escrowAddress,
      chainId: this.chain.chainId.toString(),
      actionIdHash: fields.actionId,
      requestDigest: intent.requestDigest,
      signingTokenHash: link.tokenHash,
      signingTokenSealed: link.tokenSealed,
      createdAt: new Date(nowMs),
      expiresAt: new Date(expiresAtSeconds * 1000),
    });
    await this.transactions.run((manager) => this.store(manager, action, { checked, ready, fields }));
    this.metrics.countPreparedAction(kind);
    return PreparedActionDto.from(action, link.url);
  }

  /** Takes the nonce, completes the action with what depends on it, and writes the row. */
  private async store(
    manager: EntityManager,
    action: PreparedActionEntity,
    { checked, ready, fields }: { checked: CheckedAction; ready: PreflightResult; fields: ActionFields },
  ): Promise<void> {
    const { escrowAddress, signer } = checked;
    action.nonce = await this.nonces.next(manager, escrowAddress, signer, ready.nonce);
    while (ready.word.isUsed(action.nonce)) {
      action.nonce = await this.nonces.next(manager, escrowAddress, signer, ready.word.firstFreeFrom(action.nonce));
    }
    const signed = { ...fields, nonce: action.nonce };
    action.payload = {
      ...ready.typedData(signed),
      transaction: {
        from: signer,
        ...contractCall(escrowAddress, checked.callData(signed)),
        chainId: `0x${this.chain.chainId.toString(16)}`,
      },
    };
    await insertAction(manager, action);
  }
}
