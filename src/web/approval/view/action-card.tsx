import type { ComponentChildren, Ref } from 'preact';
import type { ApprovalActions } from '../flow/actions.js';
import { diagnosticOf } from './diagnostic.js';
import { callsOf, canSign, offersSignature, type Screen } from '../flow/screen.js';
import type { ScreenWords } from './screen-copy.js';
import type { ApprovalState } from '../flow/state.js';
import { HexText } from './address.js';
import { CopyButton } from './copy-button.js';
import { DeviceLink } from './device-link.js';
import { SentHint } from './sent-hint.js';
import { Tracker } from './tracker.js';
import { WalletChoice } from './wallet-choice.js';

interface ActionCardProps {
  state: ApprovalState;
  screen: Screen;
  words: ScreenWords;
  actions: ApprovalActions;
  heading: Ref<HTMLHeadingElement>;
  /** True: the state is shown instead of the request, and its heading is the page's. */
  isWholePage: boolean;
}

/** Tells the state in words, with the one thing to do next. */
export function ActionCard({ state, screen, words, actions, heading, isWholePage }: ActionCardProps) {
  const Heading = isWholePage ? 'h1' : 'h2';
  return (
    <section class={`state ${words.tone}`} aria-labelledby="state">
      <Heading id="state" ref={heading} tabIndex={-1}>
        {words.heading}
      </Heading>
      {words.text !== '' && (
        <p {...(words.tone === 'bad' ? { role: 'alert' } : {})}>
          {words.text} {offersSignature(screen) && <Assurance state={state} />}
        </p>
      )}
      <Tracker state={state} screen={screen} />
      <SentHint state={state} />
      <ServiceProblem state={state} />
      {WAYS[screen]?.({ state, screen, actions })}
    </section>
  );
}

type Ways = (props: { state: ApprovalState; actions: ApprovalActions; screen: Screen }) => ComponentChildren;

const choose: Ways = ({ state, actions }) => (
  <>
    <WalletChoice wallets={state.wallets} onChoose={(wallet) => actions.connect(wallet)} />
    <DeviceLink state={state} actions={actions} />
  </>
);
const waitForWallet: Ways = ({ actions }) => (
  <div class="actions">
    <Another actions={actions} />
  </div>
);
const lookAgain: Ways = ({ actions }) => (
  <div class="actions">
    <Primary onClick={() => actions.checkAgain()}>Check again</Primary>
  </div>
);
const fillUp: Ways = ({ state, actions }) => (
  <div class="actions">
    <Primary onClick={() => actions.checkAgain()}>Check again</Primary>
    <CopyButton text={state.facts.wallet} label="Copy the wallet’s address" />
  </div>
);
const report: Ways = ({ state, screen }) => (
  <div class="actions">
    <CopyButton text={diagnosticOf(state, screen)} label="Copy a report" />
  </div>
);

/** The buttons of a screen; where none are named, the person can only wait or leave. */
const WAYS: Partial<Record<Screen, Ways>> = {
  ready: SignButtons,
  not_previewed: SignButtons,
  rejected: SignButtons,
  pending_in_wallet: SignButtons,
  wallet_error: SignButtons,
  choose_wallet: choose,
  no_wallet: choose,
  connecting: waitForWallet,
  wallet_locked: waitForWallet,
  wrong_wallet: ({ state, actions }) => (
    <>
      <p>
        <HexText value={state.facts.wallet} />
      </p>
      <div class="actions">
        <Primary onClick={() => actions.switchAccount()}>Switch account</Primary>
        <Another actions={actions} />
      </div>
      <DeviceLink state={state} actions={actions} />
    </>
  ),
  wrong_chain: ({ actions }) => (
    <div class="actions">
      <Primary onClick={() => actions.switchNetwork()}>Switch network</Primary>
      <Another actions={actions} />
    </div>
  ),
  insufficient_usdc: fillUp,
  insufficient_gas: fillUp,
  service_away: lookAgain,
  node_away: lookAgain,
  would_revert: lookAgain,
  state_moved: lookAgain,
  submission_refused: lookAgain,
  smart_wallet_inactive: lookAgain,
  opened_elsewhere: () => (
    <div class="actions">
      <a class="button" href={window.location.pathname}>
        Load this page again
      </a>
    </div>
  ),
  waiting: ({ actions }) => (
    <div class="actions">
      <button type="button" onClick={() => actions.stopWaiting()}>
        Cancel
      </button>
    </div>
  ),
  unsent: ({ actions }) => (
    <div class="actions">
      <Primary onClick={() => actions.submitAgain()}>Try again</Primary>
    </div>
  ),
  send_ready: SendButtons,
  unseen: ({ actions }) => (
    <div class="actions">
      <button type="button" onClick={() => actions.checkAgain()}>
        Try again
      </button>
    </div>
  ),
  expired: FreshLink,
  reverted: FreshLink,
  check_failed: report,
  unknown_kind: report,
  unreadable: report,
  sources_differ: report,
  signature_invalid: report,
  foreign_call: report,
};

function SignButtons({ state, actions }: { state: ApprovalState; actions: ApprovalActions }) {
  const { connection, verdict, isConfirmed } = state;
  if (connection.at !== 'connected') return null;
  const mustConfirm = verdict?.description?.mustConfirm ?? null;
  return (
    <>
      {mustConfirm !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={isConfirmed}
            onChange={(event) => actions.confirm(event.currentTarget.checked)}
          />
          <span>{mustConfirm}</span>
        </label>
      )}
      <div class="actions">
        <button
          type="button"
          class="primary"
          aria-disabled={!canSign(state)}
          onClick={() => canSign(state) && actions.sign()}
        >
          <span>
            {callsOf(state) === null ? 'Sign' : 'Sign and send'} with <bdi>{connection.wallet.name}</bdi>
          </span>
        </button>
        <Another actions={actions} />
      </div>
      <DeviceLink state={state} actions={actions} />
    </>
  );
}

function SendButtons({ state, actions }: { state: ApprovalState; actions: ApprovalActions }) {
  const { connection } = state;
  if (connection.at !== 'connected')
    return <WalletChoice wallets={state.wallets} onChoose={(wallet) => actions.connect(wallet)} />;
  return (
    <div class="actions">
      <Primary onClick={() => actions.send()}>
        <span>
          Send with <bdi>{connection.wallet.name}</bdi>
        </span>
      </Primary>
    </div>
  );
}

function FreshLink({ state, actions }: { state: ApprovalState; actions: ApprovalActions }) {
  const { action_id: id } = state.document?.action ?? { action_id: state.facts.actionId };
  const [before = '', text = ''] = state.facts.words['fresh_link'] ?? [];
  const message = text.replace('{id}', id);
  return (
    <>
      <div class="actions">
        <Primary onClick={() => actions.renew()}>Get a fresh link</Primary>
      </div>
      <p>{before}</p>
      <p class="small">{message}</p>
      <CopyButton text={message} label="Copy the message" />
    </>
  );
}

/** Tells beside the Sign button how many checks have passed. */
function Assurance({ state: { verdict, connection, facts } }: { state: ApprovalState }) {
  if (verdict === null) return null;
  const passed = verdict.checks.filter(({ status }) => status === 'passed').length;
  return (
    <>
      <a href="#checks">
        {passed} of {verdict.checks.length} checks passed
      </a>
      . {connection.at === 'connected' && connection.account.isContract && facts.words['contract_checks']?.[1]}
    </>
  );
}

/** Tells what the service did not do, whatever the state is. */
function ServiceProblem({ state: { problem, facts } }: { state: ApprovalState }) {
  if (problem?.from !== 'service' || problem.during === 'submit') return null;
  const [what = '', away = ''] = facts.words[`not_done/${problem.during}`] ?? [];
  return (
    <p class="notice warn" role="alert">
      {what} {problem.reason || away}
    </p>
  );
}

function Another({ actions }: { actions: ApprovalActions }) {
  return (
    <button type="button" onClick={() => actions.disconnect()}>
      Use another wallet
    </button>
  );
}

function Primary({ onClick, children }: { onClick: () => void; children: ComponentChildren }) {
  return (
    <button type="button" class="primary" onClick={onClick}>
      {children}
    </button>
  );
}
