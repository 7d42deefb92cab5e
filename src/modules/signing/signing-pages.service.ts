import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import {
  confirmedFacts,
  describeAction,
  hashTypedData,
  matchCode,
  shownFields,
  verifyPreparedAction,
} from '#libs/prepared-action';
import { Environment } from '../../platform/config/environment.js';
import type { AssetName } from '../../platform/pages/assets/assets.js';
import { publicPath } from '../../platform/pages/assets/public-path.js';
import { sendWebPage } from '../../platform/pages/page-shell.js';
import { testWalletScripts } from '../../platform/pages/assets/test-wallet-scripts.js';
import { envelopeOf } from '../prepared-actions/action/action-envelope.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { ActionRenewals } from '../prepared-actions/lifecycle/action-renewals.js';
import type { RequestingCredential } from '../oauth/storage/requesting-credential.js';
import type { PreparedActionEntity } from '../prepared-actions/action/prepared-action.entity.js';
import { SigningLinks } from '../prepared-actions/action/signing-links.js';
import { ApprovalDeployments } from './approval/approval-deployment.js';
import { ApprovalFacts } from './approval/approval-facts.js';
import { intentOf } from './approval/approval-intent.js';
import { expectedMoney } from './approval/expected-money.js';
import type { ApprovalFrame } from './pages/approval-frame.js';
import type { ApprovalPageContent } from './pages/approval-page-content.js';
import { leftText } from './pages/approval-copy.js';
import { approvalPage } from './pages/approval.page.js';
import { ApprovalRoutes } from './approval/approval-routes.js';
import type { SigningVisit } from './visits/signing-visits.js';

/** Builds the approval page for the browser that has the action open. */
@Injectable()
export class SigningPages {
  constructor(
    private readonly environment: Environment,
    private readonly deployments: ApprovalDeployments,
    private readonly facts: ApprovalFacts,
    private readonly history: ActionHistory,
    private readonly renewals: ActionRenewals,
    private readonly links: SigningLinks,
    private readonly routes: ApprovalRoutes,
  ) {}

  /** The part that all pages below `/sign/` share. */
  get frame(): ApprovalFrame {
    const { displayName, baseUrl } = this.environment;
    const { chainName, isTestNetwork } = this.deployments.shown;
    return { displayName, baseUrl, chainName, isTestNetwork };
  }

  /** Scripts of test wallets, for every page that talks to wallets. */
  get walletScripts(): readonly AssetName[] {
    return testWalletScripts(this.environment);
  }

  /** Public path of a link. */
  baseOf(token: string): string {
    return publicPath(this.environment.baseUrl, `/sign/${encodeURIComponent(token)}`);
  }

  /** Sends the full page. */
  async send(visit: SigningVisit, response: Response): Promise<void> {
    const credential = await this.facts.credentialOf(visit.action);
    const [content, spending] = await Promise.all([
      this.contentFor(visit, credential),
      this.facts.spendingOf(visit.action, credential),
    ]);
    const assets = {
      scripts: ['approval.js' as const, ...this.walletScripts],
      styles: ['approval.css' as const],
    };
    sendWebPage(response, 200, approvalPage(this.frame, { ...content, spending }, assets));
  }

  /** The content of the page, without what is left of limits: only the page itself shows that. */
  async contentOf(visit: SigningVisit): Promise<Omit<ApprovalPageContent, 'spending'>> {
    return this.contentFor(visit, await this.facts.credentialOf(visit.action));
  }

  private async contentFor(
    visit: SigningVisit,
    credential: RequestingCredential | null,
  ): Promise<Omit<ApprovalPageContent, 'spending'>> {
    const { token, action } = visit;
    const envelope = envelopeOf(action, `${this.environment.baseUrl}/sign/${token}`);
    const [standing, { facts, tree }, newerPath] = await Promise.all([
      this.history.statusOf(action),
      this.facts.surroundingsOf(action),
      this.newerPathOf(action),
    ]);
    const hashes = hashTypedData(action.payload);
    const description = describeAction(envelope, confirmedFacts(action.kind, facts, tree, undefined));
    if (envelope.remaining !== undefined) description?.next.push(leftText(envelope.remaining));
    const { pinned, shown } = this.deployments;
    return {
      action,
      ...standing,
      description,
      requester: this.facts.requesterIn(action, credential),
      matchCode: matchCode(hashes.digest),
      money: expectedMoney(action),
      checks: verifyPreparedAction(envelope, intentOf(action, tree), {
        deployment: pinned,
        nowMs: facts.nowMs,
        readings: [],
      }),
      // What a payment is for, a wallet does not show.
      fields: [...shownFields(action.payload), ...shownFields(action.payload['authorizes'])],
      hashes,
      deployment: pinned,
      tree,
      paths: this.routes.of(action, this.baseOf(token)),
      newerPath,
      explorerTransactionUrl: shown.explorerTransactionUrl,
    };
  }

  private async newerPathOf(action: PreparedActionEntity): Promise<string | null> {
    if (action.renewedBy === null) return null;
    const newest = await this.renewals.newestOf(action);
    return newest.id === action.id ? null : new URL(this.links.reopen(newest)).pathname;
  }
}
