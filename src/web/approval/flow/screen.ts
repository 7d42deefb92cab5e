import { type ActionStatus, holdsOnceSigned } from '#libs/prepared-action';
import type { ApprovalDocument } from '#libs/approval-wire';
import { lacksGas, missingUsdc, paymasterOf, sourcesDiffer } from './money-checks.js';
import { ENDED, isLost, UNDER_WAY } from './reduce.js';
import type { Account, ApprovalState, Verdict } from './state.js';

/** Every state of the page that a person can tell from the others (docs/decisions/interface.md#approval-page). */
export const SCREENS = [
  'loading',
  'offline',
  'service_away',
  'opened_elsewhere',
  'unreadable',
  'expired',
  'declined',
  'superseded',
  'already_signed',
  'unknown_kind',
  'check_failed',
  'state_moved',
  'no_wallet',
  'choose_wallet',
  'connecting',
  'wallet_locked',
  'wrong_wallet',
  'wrong_chain',
  'checking',
  'node_away',
  'sources_differ',
  'insufficient_usdc',
  'would_revert',
  'insufficient_gas',
  'not_previewed',
  'ready',
  'waiting',
  'rejected',
  'pending_in_wallet',
  'wallet_error',
  'submitting',
  'unsent',
  'submission_refused',
  'signature_invalid',
  'smart_wallet_inactive',
  'foreign_call',
  'signed',
  'send_ready',
  'sending',
  'unseen',
  'confirmed',
  'final',
  'reverted',
] as const;
export type Screen = (typeof SCREENS)[number];

/** Screens from which a wallet may be asked to sign. */
const SIGNABLE: ReadonlySet<Screen> = new Set([
  'ready',
  'not_previewed',
  'rejected',
  'pending_in_wallet',
  'wallet_error',
]);

/** The screen of a state. What forbids signing is looked at before what leads to it. */
export function screenOf(state: ApprovalState): Screen {
  const { document } = state;
  if (document === null) return loadingScreen(state);
  const screen = loadedScreen(state, document);
  return state.loading === 'lost' && mayGoOn(state, screen) ? 'opened_elsewhere' : screen;
}

/** True while the page would go on with the request, or would still tell what becomes of it. */
function mayGoOn({ step }: ApprovalState, screen: Screen): boolean {
  if (step.at === 'signed') return step.call !== null;
  return step.at === 'review' || screen === 'sending' || screen === 'unseen';
}

function loadedScreen(state: ApprovalState, document: ApprovalDocument): Screen {
  if (state.step.at !== 'review') return stepScreen(state, document.status);
  return closedScreen(state, document.status, endOf(document)) ?? openScreen(state);
}

/** True when the Sign button may be used: for what cannot be undone, its box must be ticked, too. */
export function canSign(state: ApprovalState): boolean {
  const mustConfirm = state.verdict?.description?.mustConfirm ?? null;
  return SIGNABLE.has(screenOf(state)) && (mustConfirm === null || state.isConfirmed);
}

/** True when the screen has a Sign button, which may still wait for the box. */
export function offersSignature(screen: Screen): boolean {
  return SIGNABLE.has(screen);
}

/**
 * The calls with which a wallet that can bundle does all in one step (EIP-5792); null: it signs, and sends afterwards.
 * The checks have found in them this very action and nothing else.
 */
export function callsOf({ connection, document }: ApprovalState): readonly unknown[] | null {
  if (connection.at !== 'connected' || !connection.account.canBundle || document === null) return null;
  const { transaction, calls } = document.action.payload;
  if (Array.isArray(calls)) return calls;
  return transaction === undefined ? null : [transaction];
}

/** True when the wallet is asked twice: for the signature, and then to send the call that carries it. */
export function takesTwoSteps(state: ApprovalState): boolean {
  return !holdsOnceSigned(state.document?.action.kind ?? '') && callsOf(state) === null;
}

/**
 * The end of a request, milliseconds since the epoch: one that is signed may be sent a little longer than it may be
 * signed.
 */
export function endOf({ action, signed }: ApprovalDocument): number {
  return Date.parse(signed?.valid_until ?? action.expires_at);
}

/** True while what the page shows may be overtaken elsewhere: by another tab, by the app, by the chain. */
export function mayBeOvertaken({ document, step }: ApprovalState): boolean {
  if (document === null) return false;
  return step.at === 'review' ? !ENDED.includes(document.status) : step.at === 'signed' && step.call !== null;
}

/** True while the request may still be declined from here: what is signed cannot be taken back. */
export function canDecline({ document, step, loading }: ApprovalState): boolean {
  return document !== null && document.signed === undefined && step.at !== 'signed' && loading !== 'lost';
}

/** True for two texts of one address; capitals are only a checksum. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function loadingScreen({ loading, isOnline }: ApprovalState): Screen {
  switch (loading) {
    case 'lost':
      return 'opened_elsewhere';
    case 'unreadable':
      return 'unreadable';
    case 'away':
      return isOnline ? 'service_away' : 'offline';
    case 'loading':
    case 'loaded':
      return isOnline ? 'loading' : 'offline';
  }
}

function stepScreen(state: ApprovalState, status: ActionStatus): Screen {
  const { step } = state;
  switch (step.at) {
    case 'review':
    case 'asking':
      return 'waiting';
    case 'submitting':
      return 'submitting';
    case 'unsent':
      return 'unsent';
    case 'refused':
      return REFUSALS[step.reason];
    case 'signed':
      return step.call === null ? 'signed' : (misplacedScreen(state) ?? 'send_ready');
    case 'sent':
      return isLost(step) ? 'unseen' : sentScreen(status);
  }
}

const REFUSALS = {
  invalid: 'signature_invalid',
  inactive: 'smart_wallet_inactive',
  foreign_call: 'foreign_call',
} as const;

/** What is known of a transaction by the status of its request; while there is nothing, it is being sent. */
const SENT: Partial<Record<ActionStatus, Screen>> = {
  confirmed: 'confirmed',
  final: 'final',
  failed: 'reverted',
  superseded: 'superseded',
  expired: 'expired',
};

function sentScreen(status: ActionStatus): Screen {
  return SENT[status] ?? 'sending';
}

/** The screen of a request that is over before a wallet has to be asked; null while it is open. */
function closedScreen(state: ApprovalState, status: ActionStatus, expiresAtMs: number): Screen | null {
  if (status === 'declined' || status === 'superseded' || status === 'expired') return status;
  // It was carried out from elsewhere while the wallet was asked here.
  if (UNDER_WAY.includes(status)) return sentScreen(status);
  if (status === 'signed' && state.document?.signed === undefined) {
    // A signature that the service no longer offers to send is of no use any more.
    return holdsOnceSigned(state.document?.action.kind ?? '') ? 'already_signed' : 'superseded';
  }
  if (!(state.nowMs < expiresAtMs)) return 'expired';
  return state.verdict === null ? null : verdictScreen(state.verdict);
}

function verdictScreen({ checks, description }: Verdict): Screen | null {
  if (description === null) return 'unknown_kind';
  const failed = checks.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return null;
  return failed.every(({ number }) => number === STATE_CHECK) ? 'state_moved' : 'check_failed';
}

/** Number of the check that the nonce is unused and the node in the state that the action needs. */
const STATE_CHECK = 12;

function openScreen(state: ApprovalState): Screen {
  const { connection, isOnline, wallets, isSearching } = state;
  if (!isOnline) return 'offline';
  switch (connection.at) {
    case 'none':
      return wallets.length === 0 && !isSearching ? 'no_wallet' : 'choose_wallet';
    case 'asking':
      return connection.slow ? 'wallet_locked' : 'connecting';
    case 'connected':
      return connectedScreen(state, connection.account);
  }
}

function connectedScreen(state: ApprovalState, account: Account): Screen {
  const { verdict, findings, simulation } = state;
  const misplaced = misplacedScreen(state);
  if (misplaced !== null) return misplaced;
  if (verdict === null || findings === null || simulation === null) return 'checking';
  if (!verdict.isSignable || findings.reading === null) return 'node_away';
  if (sourcesDiffer(findings, simulation)) return 'sources_differ';
  if (missingUsdc(state) !== null) return 'insufficient_usdc';
  if (simulation.would_revert !== null) return 'would_revert';
  if (paymasterOf(state) === null && lacksGas(account, findings, simulation)) return 'insufficient_gas';
  if (state.document?.signed !== undefined) return 'send_ready';
  return problemScreen(state) ?? (simulation.source === 'unavailable' ? 'not_previewed' : 'ready');
}

/** The screen of a wallet that shows another account than the request is for, or is on another network; else null. */
export function misplacedScreen({ connection, facts }: ApprovalState): Screen | null {
  if (connection.at !== 'connected') return null;
  const { address, chainId } = connection.account;
  if (!isSameAddress(address, facts.wallet)) return 'wrong_wallet';
  return chainId === facts.deployment.chainId ? null : 'wrong_chain';
}

function problemScreen({ problem }: ApprovalState): Screen | null {
  if (problem?.from === 'service') return problem.during === 'submit' ? 'submission_refused' : null;
  if (problem?.during !== 'sign') return null;
  switch (problem.failure.kind) {
    case 'rejected':
      return 'rejected';
    case 'pending':
      return 'pending_in_wallet';
    case 'locked':
    case 'disconnected':
    case 'unknown_chain':
    case 'unsupported':
    case 'dropped':
    case 'other':
      return 'wallet_error';
  }
}
