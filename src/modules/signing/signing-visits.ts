import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { sha256 } from '#libs/kernel';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { AddressBudget } from '../../platform/rate-limit/address-budget.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../accounts/sessions/browser-sessions.js';
import { type DeclinedBy, PreparedActionEntity } from '../prepared-actions/action/prepared-action.entity.js';
import { SigningLinks } from '../prepared-actions/lifecycle/signing-links.js';
import { SigningClaimEntity } from './signing-claim.entity.js';
import { SigningExtraLinkEntity } from './signing-extra-link.entity.js';

/** One request with the link of an action. */
export interface SigningVisit {
  /** The token in the address. */
  readonly token: string;
  readonly action: PreparedActionEntity;
  /** The second link that was used; null for the action's own link. */
  readonly extraLink: SigningExtraLinkEntity | null;
  /** The claim of the browser that has the action open; null when none has. */
  readonly claim: SigningClaimEntity | null;
  /**
   * Why this browser has full access: it has the action open, or the action's account is signed in. Null: no full
   * access.
   */
  readonly holdsBy: 'claim' | 'session' | null;
}

/**
 * Finds the action of a link and the rights of the browser. It changes nothing, because link previews and scanners open
 * links too.
 */
@Injectable()
export class SigningVisits {
  constructor(
    private readonly transactions: Transactions,
    private readonly links: SigningLinks,
    private readonly cookies: BrowserCookies,
    private readonly sessions: BrowserSessions,
    private readonly accounts: AccountsService,
    private readonly budget: AddressBudget,
  ) {}

  /** @throws ApiError `not_found`, with the same body for every invalid link. */
  async find(token: string, request: Request): Promise<SigningVisit> {
    const tokenHash = this.links.hashOf(token);
    const found = tokenHash === null ? null : await this.actionOf(tokenHash);
    if (found === null)
      throw new ApiError('not_found', 'This link is not valid.', 'Ask whoever sent it for a new one.');
    const { action } = found;
    const claim = await this.transactions.manager.findOneBy(SigningClaimEntity, { actionId: action.id });
    const holdsBy = this.isClaimant(claim, request) ? 'claim' : await this.bySession(action, request);
    return { token, ...found, claim, holdsBy };
  }

  /** As `find`, but requires full access. @throws ApiError `claim_required`. */
  async findHeld(token: string, request: Request): Promise<SigningVisit> {
    const visit = await this.find(token, request);
    if (visit.holdsBy !== null) return visit;
    throw new ApiError(
      'claim_required',
      'This request is not open in this browser.',
      'Open it with its link first, or prove that you have the wallet.',
    );
  }

  /**
   * As `findHeld`, and requires an active account; for requests that change something. @throws ApiError
   * `claim_required`, `account_suspended`.
   */
  async findActing(token: string, request: Request): Promise<SigningVisit> {
    const visit = await this.findHeld(token, request);
    const { status } = await this.accounts.find(visit.action.accountId);
    if (status !== 'active') throw new ApiError('account_suspended', 'The account is suspended.');
    return visit;
  }

  /** Who declines: the account if it is signed in, else the wallet if it was proved, else the holder of the link. */
  async declinerOf({ action, claim, holdsBy }: SigningVisit, request: Request): Promise<DeclinedBy> {
    if ((await this.bySession(action, request)) !== null) return 'account';
    return holdsBy === 'claim' && claim?.means === 'wallet' ? 'wallet' : 'link';
  }

  private async actionOf(tokenHash: Buffer): Promise<Pick<SigningVisit, 'action' | 'extraLink'> | null> {
    const { manager } = this.transactions;
    const own = await manager.findOneBy(PreparedActionEntity, { signingTokenHash: tokenHash });
    if (own) return { action: own, extraLink: null };
    const extraLink = await manager.findOneBy(SigningExtraLinkEntity, { tokenHash });
    if (!extraLink) return null;
    return { action: await manager.findOneByOrFail(PreparedActionEntity, { id: extraLink.actionId }), extraLink };
  }

  private isClaimant(claim: SigningClaimEntity | null, request: Request): boolean {
    const secret = this.cookies.readSigning(request);
    if (claim === null || secret === null || !timingSafeEqual(claim.browserHash, sha256(secret))) return false;
    this.budget.vouch(request, secret);
    return true;
  }

  private async bySession({ accountId }: PreparedActionEntity, request: Request): Promise<'session' | null> {
    const token = this.cookies.readSession(request);
    const session = await this.sessions.find(token);
    if (session?.accountId !== accountId) return null;
    this.budget.vouch(request, token);
    return 'session';
  }
}
