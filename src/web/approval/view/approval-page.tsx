import { Component, createRef } from 'preact';
import type { ApprovalActions } from '../flow/actions.js';
import { timeWarning } from './format.js';
import { canDecline, endOf, type Screen, screenOf } from '../flow/screen.js';
import { feeSentence, wordsOf } from './screen-copy.js';
import type { ApprovalState } from '../flow/state.js';
import { typedDataText } from '../flow/wallet.js';
import { ActionCard } from './action-card.js';
import { Changes } from './changes.js';
import { CheckList } from './check-list.js';
import { CopyButton } from './copy-button.js';
import { KeptPart } from './kept-part.js';
import { OriginWarning } from './origin-warning.js';
import { MatchCode, RequestSummary } from './request-summary.js';

/** Screens without a request that could be described: the page shows only the state. */
const WHOLE_PAGE: ReadonlySet<Screen> = new Set([
  'loading',
  'service_away',
  'opened_elsewhere',
  'unreadable',
  'unknown_kind',
  'check_failed',
]);
/** Screens of a request that is over or under way: no time is counted, and nothing can be declined. */
const CLOSED: ReadonlySet<Screen> = new Set([
  'expired',
  'declined',
  'superseded',
  'already_signed',
  'waiting',
  'submitting',
  'unsent',
  'signature_invalid',
  'foreign_call',
  'signed',
  'send_ready',
  'sending',
  'unseen',
  'confirmed',
  'final',
  'reverted',
]);
/**
 * Screens that come by themselves while somebody may be reading: they are announced, and the focus stays where it is.
 */
const SAID_ONLY: ReadonlySet<Screen> = new Set(['loading', 'checking', 'confirmed', 'final', 'unseen']);
/** Screens of a request that came to nothing: they tell neither what happens next nor what could. */
const HAPPENED: ReadonlySet<Screen> = new Set(['declined', 'superseded', 'expired', 'reverted']);

/** Elements that the server has rendered and the page keeps. */
export interface KeptParts {
  /** Who asked, and when. */
  asked: Element | null;
  /** The fields of the request, as a wallet shows them. */
  compare: Element | null;
}

interface ApprovalPageProps {
  state: ApprovalState;
  actions: ApprovalActions;
  kept: KeptParts;
}

/** The whole page, from the state. */
export class ApprovalPage extends Component<ApprovalPageProps> {
  private readonly heading = createRef<HTMLHeadingElement>();

  /** The focus goes to the heading of a new state, but not when the page has just been opened. */
  override componentDidUpdate({ state: before }: ApprovalPageProps): void {
    const screen = screenOf(this.props.state);
    const was = screenOf(before);
    if (was !== screen && was !== 'loading' && !SAID_ONLY.has(screen)) this.heading.current?.focus();
  }

  override render() {
    const { state, actions, kept } = this.props;
    const { document, verdict, facts } = state;
    const screen = screenOf(state);
    const words = wordsOf(state, screen);
    const description = verdict?.description ?? null;
    const isWholePage = document === null || description === null || WHOLE_PAGE.has(screen);
    const isOpen = !CLOSED.has(screen) && state.step.at !== 'signed';
    const mayDecline = isOpen && canDecline(state);
    const fee = HAPPENED.has(screen) ? '' : feeSentence(state);
    const leftMs = document === null ? 0 : endOf(document) - state.nowMs;
    const card = <ActionCard {...{ state, screen, words, actions, isWholePage }} heading={this.heading} />;
    return (
      <div class="page" data-screen={screen} aria-busy={screen === 'loading' || screen === 'checking'}>
        <p role="status" class="visually-hidden">
          {SAID_ONLY.has(screen) ? words.heading : ''} {isOpen ? timeWarning(leftMs) : ''}
        </p>
        <OriginWarning facts={facts} />
        {isWholePage ? (
          <>
            {card}
            {verdict !== null && <CheckList checks={verdict.checks} />}
            {mayDecline && <Decline actions={actions} />}
          </>
        ) : (
          <>
            <RequestSummary {...{ state, description, isOpen, leftMs }} />
            <Changes state={state} />
            {!HAPPENED.has(screen) && <p class="worst">{description.worstCase}</p>}
            <aside aria-label="Before you sign">
              <KeptPart part={kept.asked} />
              <MatchCode state={state} />
              {fee !== '' && <p>{fee}</p>}
              {!HAPPENED.has(screen) && <NextSteps steps={description.next} />}
              {verdict !== null && <CheckList checks={verdict.checks} />}
              <KeptPart part={kept.compare} />
              <p class="copies">
                <CopyButton text={facts.digest} label="Copy digest" />
                <CopyButton text={typedDataText(document.action)} label="Copy data" />
              </p>
            </aside>
            {card}
            {mayDecline && <Decline actions={actions} />}
          </>
        )}
      </div>
    );
  }
}

function NextSteps({ steps }: { steps: readonly string[] }) {
  if (steps.length === 0) return null;
  return (
    <section class="next" aria-labelledby="next">
      <h2 id="next">What happens next</h2>
      <ul>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </section>
  );
}

function Decline({ actions }: { actions: ApprovalActions }) {
  return (
    <p class="decline">
      <button type="button" class="danger" onClick={() => actions.decline()}>
        Decline
      </button>{' '}
      <span class="small">The app that asked is told. You need no wallet for this.</span>
    </p>
  );
}
