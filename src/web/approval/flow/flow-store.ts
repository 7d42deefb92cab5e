import type { SimulationAnswer } from '#libs/approval-wire';
import type { Hex } from '#libs/notation';
import type { Wallet } from '../../wallets/discovery.js';
import { intentOf, type PageFacts } from '../service/page-facts.js';
import type { Answer, ApprovalService, Surroundings } from '../ports.js';
import { reduce } from './reduce.js';
import { mayBeOvertaken, misplacedScreen, screenOf } from './screen.js';
import { ServiceClock } from '../service/service-clock.js';
import { type ApprovalEvent, type ApprovalState, openedPage } from './state.js';
import { verdictOf } from './verdict.js';
import { findings } from './wallet.js';

/** Between two tries to reach a service that was away, milliseconds. */
const RETRY_MS = 5_000;
/** Between two readings of what may change while a person reads, milliseconds. */
const REREAD_MS = 15_000;
/** Between two looks at a request whose transaction was reported and is not known to the chain, milliseconds. */
const HINT_POLL_MS = 3_000;
/** Between an answer about the transaction, with which the service waits for news, and the next question; milliseconds. */
const HEARD_MS = 250;
/** Between two of these questions where the service did not wait, because a browser may ask 120 times a minute; milliseconds. */
const PACE_MS = 2_000;
/** Screens that the transaction still changes. */
const FOLLOWED = /sending|unseen|confirmed/;
/** The simulation that the page shows when the service cannot simulate. */
const NOT_SIMULATED: SimulationAnswer = {
  source: 'unavailable',
  balances: [],
  would_revert: null,
  gas: null,
  block: null,
};

/**
 * True when the service tells this browser nothing of the request any more; every other refusal passes, and says nothing
 * of the request.
 */
export function isTakenAway(answer: Answer<unknown>): boolean {
  return answer.kind === 'refused' && (answer.code === 'claim_required' || answer.code === 'not_found');
}

/** The state of the page, and everything that is read to keep it true: request, time, chain and transaction. */
export class FlowStore {
  state: ApprovalState;
  private readonly clock: ServiceClock;
  private readonly followed = new Set<string>();
  /** Number of the newest round of reading: what an earlier one brings is ignored. */
  private round = 0;
  private isPolling = false;
  private stopLooking = (): void => undefined;

  constructor(
    facts: PageFacts,
    protected readonly service: ApprovalService,
    protected readonly around: Surroundings,
    private readonly onChange: (state: ApprovalState) => void,
  ) {
    this.state = openedPage(facts);
    this.clock = new ServiceClock(around);
  }

  /** Begins: reads the request, looks for wallets, and keeps the time. */
  start(): void {
    const { around } = this;
    this.dispatch({ type: 'online_changed', isOnline: around.isOnline() });
    around.onOnlineChange(() => {
      this.dispatch({ type: 'online_changed', isOnline: around.isOnline() });
      if (around.isOnline()) void this.load();
    });
    around.discover(
      (wallet) => this.dispatch({ type: 'wallet_found', wallet }),
      () => this.dispatch({ type: 'wallet_search_ended' }),
    );
    around.every(1_000, () => {
      if (this.state.document !== null) this.dispatch({ type: 'tick', nowMs: this.clock.nowMs() });
    });
    around.every(REREAD_MS, () => {
      if (mayBeOvertaken(this.state)) void this.load();
    });
    around.onReturn(() => {
      if (mayBeOvertaken(this.state)) void this.load();
      if (this.state.step.at === 'sent') void this.poll();
    });
    void this.load();
  }

  protected dispatch(event: ApprovalEvent): void {
    this.state = reduce(this.state, event);
    this.onChange(this.state);
  }

  /** Reads the request, and what the chain says of it. Tries again by itself while the service is away. */
  protected async load(): Promise<void> {
    this.dispatch({ type: 'reload' });
    const answer = await this.service.document();
    if (answer.kind === 'ok') {
      // The service's clock follows a chain that runs ahead of the wall's clock; the `Date` header of its answer does
      // not.
      this.clock.set(answer.body.facts.nowMs > 0 ? answer.body.facts.nowMs : answer.dateMs);
      const { skewMs } = this.clock;
      this.dispatch({ type: 'document_arrived', document: answer.body, nowMs: this.clock.nowMs(), skewMs });
      this.verify();
      if (this.state.step.at === 'sent') void this.poll();
      if (answer.body.status === 'unknown' && mayBeOvertaken(this.state)) this.lookAgainAfter(HINT_POLL_MS);
      return this.read();
    }
    const why = isTakenAway(answer) ? 'lost' : 'away';
    this.dispatch({ type: 'document_missing', why });
    if (why === 'away' && this.state.document === null) this.around.after(RETRY_MS, () => void this.load());
  }

  /** Reads what the wallet's node and the service's say, and checks the request with it. */
  protected async read(): Promise<void> {
    this.round += 1;
    const mine = this.round;
    const { connection, document, facts, step } = this.state;
    if (document === null || step.at !== 'review' || connection.at !== 'connected') return;
    if (misplacedScreen(this.state) !== null) return;
    const subject = { action: document.action, intent: intentOf(facts, document), deployment: facts.deployment };
    const [found, simulated] = await Promise.all([
      findings(connection.wallet.provider, subject, connection.account.address),
      this.service.simulation(),
    ]);
    if (mine !== this.round) return;
    this.dispatch({ type: 'findings_arrived', findings: found });
    this.dispatch({
      type: 'simulation_arrived',
      simulation: simulated.kind === 'ok' ? simulated.body : NOT_SIMULATED,
    });
    this.verify();
  }

  /** Runs the fifteen checks on what is known now. */
  protected verify(): void {
    if (this.state.document !== null) this.dispatch({ type: 'tick', nowMs: this.clock.nowMs() });
    const verdict = verdictOf(this.state);
    if (verdict !== null) this.dispatch({ type: 'verified', verdict });
  }

  /**
   * Reports the transaction to the service until it answers; the chain shows it even if the service never hears of it.
   */
  protected async reportTransaction(hash: Hex): Promise<void> {
    const answer = await this.service.submitTransaction(hash);
    if (isTakenAway(answer)) return this.dispatch({ type: 'document_missing', why: 'lost' });
    const isUnheard = answer.kind === 'away' || (answer.kind !== 'ok' && answer.status === 429);
    if (isUnheard) this.around.after(RETRY_MS, () => void this.reportTransaction(hash));
    void this.poll();
  }

  /** True the first time that the page meets the wallet. */
  protected isNew({ key }: Wallet): boolean {
    if (this.followed.has(key)) return false;
    this.followed.add(key);
    return true;
  }

  /** Follows the transaction until it is final, or has failed. */
  protected async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    const { step } = this.state;
    const nextMs = this.around.elapsedMs() + PACE_MS;
    const answer = await this.service.progress(step.at === 'sent' ? step.progress?.status : undefined);
    this.isPolling = false;
    if (isTakenAway(answer)) return this.dispatch({ type: 'document_missing', why: 'lost' });
    if (answer.kind === 'ok') this.dispatch({ type: 'progress_arrived', progress: answer.body });
    if (FOLLOWED.test(screenOf(this.state)))
      this.around.after(
        answer.kind === 'ok' ? Math.max(HEARD_MS, nextMs - this.around.elapsedMs()) : RETRY_MS,
        () => void this.poll(),
      );
  }

  /** Reads the request again after a while; replaces a reading that waits already. */
  private lookAgainAfter(ms: number): void {
    this.stopLooking();
    this.stopLooking = this.around.after(ms, () => {
      if (mayBeOvertaken(this.state)) void this.load();
    });
  }
}
