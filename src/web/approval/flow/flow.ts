import type { Hex } from '#libs/notation';
import { type PreparedAction, verifySignedCall } from '#libs/prepared-action';
import type { ReadyCall, SubmissionAnswer } from '#libs/approval-wire';
import type { Wallet } from '../../wallets/discovery.js';
import { failureOf } from '../../wallets/provider.js';
import type { ApprovalActions } from './actions.js';
import { FlowStore, isTakenAway } from './flow-store.js';
import { paymasterOf } from './money-checks.js';
import { callsOf, canSign, screenOf } from './screen.js';
import type { Account, ServiceTask, WalletTask } from './state.js';
import type { Answer } from '../ports.js';
import {
  askForCalls,
  askForSignature,
  askToSend,
  connect,
  connectAnew,
  currentAccount,
  switchNetwork,
  transactionOfCalls,
  typedDataText,
} from './wallet.js';

/** When a wallet that says nothing is most likely locked, or its window is behind this one, milliseconds. */
const SLOW_WALLET_MS = 8_000;
/** Between two looks at a bundle of calls, milliseconds. */
const BUNDLE_POLL_MS = 1_500;
/** Marks a signature of a wallet that is not deployed yet (ERC-6492). */
const UNDEPLOYED = /(?:6492){16}$/;
/** The wallet answered, but with nothing that was asked for. */
const NO_ANSWER = { kind: 'other', code: null } as const;
const NO_ACCOUNT = { kind: 'locked', code: null } as const;
const NOT_CARRIED_OUT = { kind: 'dropped', code: null } as const;

/**
 * Carries out the buttons of the page: talks to the wallet and to the service, and reports what came of it as events.
 */
export class ApprovalFlow extends FlowStore implements ApprovalActions {
  /** Number of the newest question to the wallet: its answer to an earlier one is ignored. */
  private question = 0;
  /** The action that the wallet was asked to sign; a document that comes later may hold another. */
  private asked: PreparedAction | null = null;

  connect(wallet: Wallet): void {
    this.takeAccount(wallet, connect(wallet.provider));
  }

  switchAccount(): void {
    const { connection } = this.state;
    if (connection.at === 'connected') this.takeAccount(connection.wallet, connectAnew(connection.wallet.provider));
  }

  disconnect(): void {
    this.question += 1;
    this.dispatch({ type: 'disconnected' });
  }

  switchNetwork(): void {
    const { connection, document } = this.state;
    if (connection.at !== 'connected' || document === null) return;
    const { wallet } = connection;
    const answer = switchNetwork(wallet.provider, document.deployment);
    this.dispatch({ type: 'switch_asked' });
    void this.awaitWallet('switch', answer, () => void this.meetAgain(wallet));
  }

  checkAgain(): void {
    this.dispatch({ type: 'checks_restarted' });
    void this.load();
  }

  confirm(isConfirmed: boolean): void {
    this.dispatch({ type: 'confirmed_changed', isConfirmed });
  }

  sign(): void {
    const { connection, document } = this.state;
    if (connection.at !== 'connected' || document === null) return;
    // Everything was read before the click. The checks run once more, for this second, and wait for nothing.
    this.verify();
    if (!canSign(this.state)) return;
    const { wallet, account } = connection;
    const calls = callsOf(this.state);
    if (calls !== null) return this.askForBundle('sign', connection, calls);
    this.asked = document.action;
    const answer = askForSignature(wallet.provider, account.address, typedDataText(document.action));
    this.dispatch({ type: 'wallet_asked', call: null });
    void this.awaitWallet('sign', answer, (signature) => {
      if (signature === null) return this.dispatch({ type: 'wallet_failed', during: 'sign', failure: NO_ANSWER });
      void this.submit(signature);
    });
  }

  send(): void {
    const { connection } = this.state;
    const call = this.callToSend();
    if (connection.at !== 'connected' || call === null) return;
    if (paymasterOf(this.state) !== null) return this.askForBundle('send', connection, [call], call);
    const answer = askToSend(connection.wallet.provider, connection.account.address, call);
    this.dispatch({ type: 'wallet_asked', call });
    void this.awaitWallet('send', answer, (hash) => {
      if (hash === null) return this.dispatch({ type: 'wallet_failed', during: 'send', failure: NO_ANSWER });
      this.dispatch({ type: 'sent', hash });
      void this.reportTransaction(hash);
    });
  }

  stopWaiting(): void {
    this.question += 1;
    this.dispatch({ type: 'question_dropped' });
  }

  submitAgain(): void {
    if (this.state.step.at === 'unsent') void this.submit(this.state.step.signature);
  }

  decline(): void {
    void this.ask('decline', this.service.decline(), () => this.dispatch({ type: 'declined' }));
  }

  renew(): void {
    void this.ask('renew', this.service.renew(), ({ signing_url: url }) => this.around.open(url));
  }

  linkDevice(): void {
    void this.ask('link', this.service.link(), (link) => this.dispatch({ type: 'link_made', link }));
  }

  /** The call that carries the signature; null when there is none to send now. */
  private callToSend(): ReadyCall | null {
    const { step } = this.state;
    if (step.at === 'signed') return screenOf(this.state) === 'send_ready' ? step.call : null;
    // What was signed before the page was opened comes from the service: it is checked like what a wallet has just
    // signed.
    this.verify();
    const { document, facts } = this.state;
    if (screenOf(this.state) !== 'send_ready' || document?.signed === undefined) return null;
    const { signature, transaction } = document.signed;
    const check = verifySignedCall(transaction, document.action, signature, facts.deployment);
    if (check.status === 'passed') return transaction;
    this.dispatch({ type: 'signature_refused', reason: 'foreign_call', detail: check.detail });
    return null;
  }

  private takeAccount(wallet: Wallet, answer: Promise<Account | null>): void {
    this.dispatch({ type: 'connect_asked', wallet });
    void this.awaitWallet('connect', answer, (account) => {
      if (account === null) return this.dispatch({ type: 'wallet_failed', during: 'connect', failure: NO_ACCOUNT });
      this.followWallet(wallet);
      this.dispatch({ type: 'connected', wallet, account });
      void this.read();
    });
  }

  /**
   * The wallet makes the calls itself, and no signature is handed in; or it makes the call that carries one, so that
   * somebody else can pay the network's fee.
   */
  private askForBundle(
    during: 'sign' | 'send',
    { wallet, account }: { readonly wallet: Wallet; readonly account: Account },
    calls: readonly unknown[],
    call: ReadyCall | null = null,
  ): void {
    const answer = askForCalls(wallet.provider, account, calls, paymasterOf(this.state));
    this.dispatch({ type: 'wallet_asked', call });
    void this.awaitWallet(during, answer, (id) => {
      if (id === null) return this.dispatch({ type: 'wallet_failed', during, failure: NO_ANSWER });
      this.dispatch({ type: 'sent', hash: null });
      // The chain shows the transaction also where the wallet cannot tell of it.
      void this.poll();
      void this.followCalls(during, wallet, id);
    });
  }

  /** Asks the wallet for the transaction of its bundle, until it or the service has told what became of it. */
  private async followCalls(during: 'sign' | 'send', wallet: Wallet, id: string): Promise<void> {
    const { step } = this.state;
    if (step.at !== 'sent' || step.hash !== null || screenOf(this.state) !== 'sending') return;
    const hash = await transactionOfCalls(wallet.provider, id);
    if (hash === 'waiting') {
      this.around.after(BUNDLE_POLL_MS, () => void this.followCalls(during, wallet, id));
    } else if (hash === null) {
      this.dispatch({ type: 'wallet_failed', during, failure: NOT_CARRIED_OUT });
      void this.load();
    } else void this.reportTransaction(hash);
  }

  private async submit(signature: Hex): Promise<void> {
    this.dispatch({ type: 'signature_made', signature });
    const answer = await this.service.submitSignature(signature);
    if (answer.kind === 'ok') return this.takeCall(signature, answer.body);
    // A service that has too much to do has not looked at the signature.
    if (answer.kind === 'away' || answer.status === 429) return this.dispatch({ type: 'submission_away', signature });
    return this.takeRefusal(signature, answer);
  }

  /** A call goes to the wallet only when it carries this very action and this very signature. */
  private takeCall(signature: Hex, { transaction }: SubmissionAnswer): void {
    const { document, facts } = this.state;
    if (document === null) return;
    if (transaction === undefined) return this.dispatch({ type: 'signature_taken', call: null });
    const check = verifySignedCall(transaction, this.asked ?? document.action, signature, facts.deployment);
    if (check.status === 'passed') return this.dispatch({ type: 'signature_taken', call: transaction });
    this.dispatch({ type: 'signature_refused', reason: 'foreign_call', detail: check.detail });
  }

  private takeRefusal(signature: Hex, { code, reason }: Extract<Answer<SubmissionAnswer>, { kind: 'refused' }>): void {
    if (code === 'wallet_mismatch') {
      const isInactive = UNDEPLOYED.test(signature);
      return this.dispatch({ type: 'signature_refused', reason: isInactive ? 'inactive' : 'invalid', detail: reason });
    }
    this.dispatch({ type: 'service_refused', during: 'submit', reason });
    void this.load();
  }

  /** Looks at the wallet anew when it reports another account or network. */
  private followWallet(wallet: Wallet): void {
    const look = (): void => {
      const { connection } = this.state;
      if (connection.at === 'connected' && connection.wallet.key === wallet.key) void this.meetAgain(wallet);
    };
    if (this.isNew(wallet)) {
      wallet.provider.on?.('accountsChanged', look);
      wallet.provider.on?.('chainChanged', look);
    }
  }

  private async meetAgain(wallet: Wallet): Promise<void> {
    const mine = this.question;
    const account = await currentAccount(wallet.provider).catch(() => null);
    if (mine !== this.question) return;
    if (account === null) return this.dispatch({ type: 'disconnected' });
    this.dispatch({ type: 'connected', wallet, account });
    await this.read();
  }

  /** Waits for the wallet's answer, and tells the person when it takes long. */
  private async awaitWallet<T>(during: WalletTask, answer: Promise<T>, take: (value: T) => void): Promise<void> {
    this.question += 1;
    const mine = this.question;
    const stop = this.around.after(SLOW_WALLET_MS, () => {
      if (mine === this.question) this.dispatch({ type: 'wallet_is_slow' });
    });
    try {
      const value = await answer;
      if (mine === this.question) take(value);
    } catch (error) {
      if (mine === this.question) this.dispatch({ type: 'wallet_failed', during, failure: failureOf(error) });
    } finally {
      stop();
    }
  }

  private async ask<T>(during: ServiceTask, asked: Promise<Answer<T>>, take: (body: T) => void): Promise<void> {
    const answer = await asked;
    if (answer.kind === 'ok') return take(answer.body);
    if (isTakenAway(answer)) return this.dispatch({ type: 'document_missing', why: 'lost' });
    const reason = answer.kind === 'away' ? '' : answer.reason;
    this.dispatch({ type: 'service_refused', during, reason });
  }
}
