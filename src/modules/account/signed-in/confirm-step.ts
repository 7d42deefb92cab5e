import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Clock } from '../../../platform/time/clock.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { testWalletScripts } from '../../../platform/pages/assets/test-wallet-scripts.js';
import type { WalletProblem } from '../../oauth/consent/wallet-form.js';
import type { ConfirmedAct } from '../../sign-in/confirmed-act.js';
import type { VerifiedAnswer } from '../../sign-in/wallet-challenges.js';
import { type WantedAct, WalletConfirmations } from '../../sign-in/wallet-confirmations.js';
import { AccountFrames } from './account-frames.js';
import { problemOf } from '../page-parts/form-problem.js';
import { type Confirmation, confirmPage } from '../page-parts/confirm.page.js';
import type { AccountVisit } from './signed-in.guard.js';

/** One request of a signed-in person, with the form that it brought. */
export interface AskedForm {
  visit: AccountVisit;
  request: Request;
  response: Response;
  form: URLSearchParams;
}

/** An action that a wallet must confirm: the texts of its page, and the exact act to sign. */
export interface Deed extends Confirmation {
  act: ConfirmedAct;
  /** As in `WantedAct`. */
  wallet?: string;
  orBy?: string;
}

/** A signature was refused. Holds the status and the problem to show. */
export class ProofRefused extends Error {
  constructor(
    readonly deed: Deed,
    readonly status: number,
    readonly problem: WalletProblem,
  ) {
    super(problem.text);
  }
}

/** The confirmation step between a form and its action: a page with a message that a wallet must sign. */
@Injectable()
export class ConfirmStep {
  constructor(
    private readonly environment: Environment,
    private readonly confirmations: WalletConfirmations,
    private readonly frames: AccountFrames,
    private readonly clock: Clock,
  ) {}

  /** True when the form contains an answer to a challenge, valid or not. */
  isAnswered({ form }: AskedForm): boolean {
    return form.has('challenge_id');
  }

  /** Sends the page with a new message. `refused` says what was wrong with the previous signature. */
  async ask(asked: AskedForm, deed: Deed, refused?: ProofRefused): Promise<void> {
    const { visit, request, response, form } = asked;
    const wanted = wantedBy(asked, deed);
    const by = fieldOf(form, 'by') || visit.session.walletAddress;
    const challenge = await this.confirmations.ask(wanted, by);
    const others = (await this.confirmations.signersOf(wanted)).filter((signer) => signer !== challenge.address);
    const frame = this.frames.frameOf(visit, request);
    // The notice about this wallet is left out, because this page already keeps it.
    const leaving = frame.leaving.filter(({ address }) => deed.act.name !== 'keep-wallet' || address !== deed.wallet);
    const html = confirmPage({ ...frame, leaving }, deed, {
      challenge,
      lifetimeSeconds: Math.floor((challenge.expiresAt.getTime() - this.clock.wallMs()) / 1000),
      chainId: this.environment.chainId,
      others,
      problem: refused?.problem,
      walletScripts: testWalletScripts(this.environment),
    });
    sendWebPage(response, refused?.status ?? 200, html);
  }

  /**
   * Verifies the signature in the form. Returns the refusal when it is not valid. @throws errors that are no fault of
   * the form.
   */
  async checked(asked: AskedForm, deed: Deed): Promise<VerifiedAnswer | ProofRefused> {
    const { form } = asked;
    const answer = { challengeId: fieldOf(form, 'challenge_id'), signature: fieldOf(form, 'signature') };
    try {
      return await this.confirmations.verify(wantedBy(asked, deed), answer);
    } catch (error) {
      const { status, text } = problemOf(error);
      return new ProofRefused(deed, status, { field: 'signature', text });
    }
  }

  /** As `WalletConfirmations.carryOut`. */
  carryOut<T>(asked: AskedForm, deed: Deed, verified: VerifiedAnswer, work: () => Promise<T>): Promise<T> {
    return this.confirmations.carryOut(wantedBy(asked, deed), verified, work);
  }

  /**
   * Carries out `work` when the form holds a valid signature. Otherwise sends the page that asks for a signature, and
   * resolves to null.
   * @throws ApiError of `work`.
   */
  async confirmed<T>(asked: AskedForm, deed: Deed, work: () => Promise<T>): Promise<{ done: T } | null> {
    const answer = this.isAnswered(asked) ? await this.checked(asked, deed) : undefined;
    if (answer === undefined || answer instanceof ProofRefused) {
      await this.ask(asked, deed, answer);
      return null;
    }
    return { done: await this.carryOut(asked, deed, answer, work) };
  }
}

function wantedBy({ visit, request }: AskedForm, { act, wallet, orBy }: Deed): WantedAct {
  return {
    accountId: visit.account.id,
    sessionWallet: visit.session.walletAddress,
    binding: visit.binding,
    act,
    clientAddress: request.ip,
    auditId: request.context.requestId,
    ...(wallet === undefined ? {} : { wallet }),
    ...(orBy === undefined ? {} : { orBy }),
  };
}
