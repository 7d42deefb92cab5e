import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { sha256 } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { tellOpened } from '../../prepared-actions/action/action-event.js';
import { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { SigningLinks } from '../../prepared-actions/action/signing-links.js';
import { type ClaimMeans, SigningClaimEntity } from './signing-claim.entity.js';
import { FORGET_LINKS, MAKE_LINK } from './signing-claims.sql.js';
import { SigningExtraLinkEntity } from './signing-extra-link.entity.js';
import type { SigningVisit } from './signing-visits.js';

/** An action and the browser that opens it. */
interface NewClaim {
  action: PreparedActionEntity;
  /** The browser's signing cookie. */
  secret: string;
  means: ClaimMeans;
  /** `X-Request-Id`. */
  auditId: string;
}

/** Records which browser has an action open; one browser per action at a time. */
@Injectable()
export class SigningClaims {
  constructor(
    private readonly transactions: Transactions,
    private readonly links: SigningLinks,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens the action by its own link, or by a second link, which replaces another browser's claim. False: another
   * browser has it open.
   */
  async byLink({ action, extraLink }: SigningVisit, secret: string, auditId: string): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      if (extraLink !== null && (await this.useUp(manager, extraLink))) {
        await this.replace(manager, { action, secret, means: 'extra_link', auditId });
        return true;
      }
      return this.claimFirst(manager, { action, secret, means: 'link', auditId });
    });
  }

  /** Opens the action in this browser and replaces any other claim. The caller has checked the proof of the wallet. */
  takeOver(action: PreparedActionEntity, secret: string, auditId: string): Promise<void> {
    return this.transactions.run((manager) => this.replace(manager, { action, secret, means: 'wallet', auditId }));
  }

  /** Opens the renewed action in the browser that renewed it, unless another browser has it open already. */
  async afterRenewal(action: PreparedActionEntity, secret: string, auditId: string): Promise<void> {
    const claim: NewClaim = { action, secret, means: 'renewal', auditId };
    await this.transactions.run((manager) => this.claimFirst(manager, claim));
  }

  /** Makes a second link, for another device. Any other second link that was not used stops working. */
  async newLink({ id }: PreparedActionEntity): Promise<string> {
    const { url, tokenHash } = this.links.issue(id);
    await this.transactions.run(async (manager) => {
      await manager.query(MAKE_LINK, [tokenHash, id, this.clock.now()]);
      await manager.query(FORGET_LINKS, [id]);
    });
    return url;
  }

  /** Marks the link as used. When several browsers try at the same time, one gets true. */
  private async useUp(manager: EntityManager, { tokenHash }: SigningExtraLinkEntity): Promise<boolean> {
    const unused = { tokenHash, usedAt: IsNull() };
    const { affected } = await manager.update(SigningExtraLinkEntity, unused, { usedAt: this.clock.now() });
    return affected === 1;
  }

  /** False when another browser has it open; true when this browser has it already. */
  private async claimFirst(manager: EntityManager, claim: NewClaim): Promise<boolean> {
    const row = this.rowOf(claim);
    const { raw }: { raw: unknown } = await manager
      .createQueryBuilder()
      .insert()
      .into(SigningClaimEntity)
      .values(row)
      .orIgnore()
      .returning('action_id')
      .execute();
    if (Array.isArray(raw) && raw.length > 0) {
      await this.noteOpened(manager, claim, row);
      return true;
    }
    const held = await manager.findOneByOrFail(SigningClaimEntity, { actionId: claim.action.id });
    return held.browserHash.equals(row.browserHash);
  }

  private async replace(manager: EntityManager, claim: NewClaim): Promise<void> {
    const row = this.rowOf(claim);
    await manager.upsert(SigningClaimEntity, row, ['actionId']);
    await this.noteOpened(manager, claim, row);
  }

  private async noteOpened(
    manager: EntityManager,
    { action, means, auditId }: NewClaim,
    { claimedAt }: SigningClaimEntity,
  ): Promise<void> {
    const { id, accountId } = action;
    await manager.update(PreparedActionEntity, { id, openedAt: IsNull() }, { openedAt: claimedAt });
    await tellOpened(manager, action, claimedAt);
    const detail = { means };
    await this.audit.record({ event: 'action_opened', requestId: auditId, accountId, credentialId: id, detail });
  }

  private rowOf({ action, secret, means }: NewClaim): SigningClaimEntity {
    return { actionId: action.id, browserHash: sha256(secret), means, claimedAt: this.clock.now() };
  }
}
