import type { ActionStatus } from '#libs/prepared-action';
import type { ProgressAnswer, ReadyCall } from '#libs/approval-wire';
import type { ApprovalEvent, ApprovalState, Connection, Step } from './state.js';

/** Statuses of a request whose transaction the chain knows. */
export const UNDER_WAY: readonly ActionStatus[] = ['submitted', 'confirmed', 'final', 'failed'];
/** What the service says while it knows of no transaction, or of one that the chain does not know. */
const UNSEEN: readonly ActionStatus[] = ['unknown', 'prepared', 'opened', 'signed', 'declined'];
/** Statuses of a request that came to nothing. */
export const ENDED: readonly ActionStatus[] = ['declined', 'superseded', 'expired'];

/** The state after an event. An event that comes too late for the state it was meant for changes nothing. */
export function reduce(state: ApprovalState, event: ApprovalEvent): ApprovalState {
  switch (event.type) {
    case 'document_arrived':
      return arrived(state, event);
    case 'document_missing':
      return state.document !== null && event.why === 'away' ? state : { ...state, loading: event.why };
    case 'reload':
      return { ...state, loading: state.document === null ? 'loading' : state.loading };
    case 'tick':
      return { ...state, nowMs: event.nowMs };
    case 'online_changed':
      return { ...state, isOnline: event.isOnline };
    case 'wallet_found':
      return { ...state, wallets: [...state.wallets, event.wallet] };
    case 'wallet_search_ended':
      return { ...state, isSearching: false };
    case 'connect_asked':
      return { ...unread(state), problem: null, connection: { at: 'asking', wallet: event.wallet, slow: false } };
    case 'wallet_is_slow':
      return { ...state, connection: slower(state.connection), step: slowStep(state.step) };
    case 'connected': {
      const { wallet, account } = event;
      return { ...unread(state), problem: null, connection: { at: 'connected', wallet, account, switching: false } };
    }
    case 'disconnected':
      return { ...unread(state), connection: { at: 'none' } };
    case 'switch_asked':
      return { ...state, problem: null, connection: switching(state.connection, true) };
    case 'findings_arrived':
      return { ...state, findings: event.findings };
    case 'simulation_arrived':
      return { ...state, simulation: event.simulation };
    case 'checks_restarted':
      return restarted(state);
    case 'verified':
      return { ...state, verdict: event.verdict };
    case 'confirmed_changed':
      return { ...state, isConfirmed: event.isConfirmed };
    case 'wallet_asked':
      return { ...state, problem: null, step: { at: 'asking', call: event.call, slow: false } };
    case 'question_dropped':
      return { ...state, step: beforeQuestion(state.step) };
    case 'wallet_failed':
      return failed(state, event);
    case 'signature_made':
      return { ...state, problem: null, step: { at: 'submitting', signature: event.signature } };
    case 'submission_away':
      return { ...state, step: { at: 'unsent', signature: event.signature } };
    case 'signature_refused':
      return {
        ...state,
        step: { at: 'refused', reason: event.reason, detail: event.detail },
      };
    case 'signature_taken':
      return { ...state, problem: null, step: { at: 'signed', call: event.call } };
    case 'sent':
      return { ...state, problem: null, step: { at: 'sent', hash: event.hash, progress: null, call: callOf(state) } };
    case 'progress_arrived':
      return withProgress(state, event.progress);
    case 'declined':
      return withStatus({ ...state, problem: null, step: { at: 'review' } }, 'declined');
    case 'link_made':
      return { ...state, problem: null, deviceLink: event.link };
    case 'service_refused': {
      const { during, reason } = event;
      const step: Step = during === 'submit' ? { at: 'review' } : state.step;
      return { ...state, step, problem: { from: 'service', during, reason } };
    }
  }
}

function arrived(state: ApprovalState, event: Extract<ApprovalEvent, { type: 'document_arrived' }>): ApprovalState {
  const { document, nowMs, skewMs } = event;
  return { ...state, loading: 'loaded', document, nowMs, skewMs, step: stepOf(state, event) };
}

/**
 * The step after the document has arrived. A request that was sent, here or elsewhere, is followed; one that has ended
 * meanwhile is not sent any more. A hash that the chain does not know is only a hint and changes no step.
 */
function stepOf({ step }: ApprovalState, { document }: Extract<ApprovalEvent, { type: 'document_arrived' }>): Step {
  if (step.at !== 'review' && step.at !== 'signed') return step;
  const { status, transaction_hash: hash = null } = document;
  if (UNDER_WAY.includes(status)) return { at: 'sent', hash, progress: null, call: null };
  return ENDED.includes(status) ? { at: 'review' } : step;
}

function failed(
  state: ApprovalState,
  { during, failure }: Extract<ApprovalEvent, { type: 'wallet_failed' }>,
): ApprovalState {
  const problem = { from: 'wallet', during, failure } as const;
  const { step } = state;
  switch (during) {
    case 'connect':
      return { ...state, problem, connection: { at: 'none' } };
    case 'switch':
      return { ...state, problem, connection: switching(state.connection, false) };
    case 'sign':
    case 'send':
      if (step.at !== 'sent') return { ...state, problem, step: beforeQuestion(step) };
      // The wallet took calls and carried none of them out, unless the chain shows that it did.
      return step.hash === null ? { ...state, problem, step: askedFrom(step.call) } : state;
  }
}

function callOf({ step }: ApprovalState): ReadyCall | null {
  return step.at === 'asking' ? step.call : null;
}

function beforeQuestion(step: Step): Step {
  return step.at === 'asking' ? askedFrom(step.call) : step;
}

/** The step from which the wallet was asked for this. A signature is kept: only its sending is tried again. */
function askedFrom(call: ReadyCall | null): Step {
  return call === null ? { at: 'review' } : { at: 'signed', call };
}

function withProgress(state: ApprovalState, progress: ProgressAnswer): ApprovalState {
  if (state.step.at !== 'sent') return state;
  // A hash that the chain does not know may be of an earlier try, or of nothing.
  const told = UNSEEN.includes(progress.status) ? undefined : progress.transaction_hash;
  return withStatus({ ...state, step: { ...state.step, hash: told ?? state.step.hash, progress } }, progress.status);
}

function withStatus(state: ApprovalState, status: ActionStatus): ApprovalState {
  return state.document === null ? state : { ...state, document: { ...state.document, status } };
}

/**
 * Starts the checks again, where that is still possible: an inactive wallet may be active by now, and a transaction
 * that was lost may be sent again. For that, the document from before the sending is dropped: it does not tell what can
 * be done now.
 */
function restarted(state: ApprovalState): ApprovalState {
  const { step } = state;
  const isAgain = { findings: null, simulation: null, problem: null, step: { at: 'review' } } as const;
  if (isLost(step)) return { ...state, ...isAgain, document: null, verdict: null, loading: 'loading' };
  const isInactive = step.at === 'refused' && step.reason === 'inactive';
  return step.at === 'review' || isInactive ? { ...state, ...isAgain } : state;
}

/** True for a transaction that the wallet has sent and that the chain does not know: it can be sent again. */
export function isLost(step: Step): boolean {
  return step.at === 'sent' && step.hash !== null && step.progress !== null && UNSEEN.includes(step.progress.status);
}

/** Drops what was found with another account or another wallet's node, which says nothing of this one. */
function unread(state: ApprovalState): ApprovalState {
  return { ...state, findings: null, verdict: null, isConfirmed: false };
}

function slower(connection: Connection): Connection {
  return connection.at === 'asking' ? { ...connection, slow: true } : connection;
}

function slowStep(step: Step): Step {
  return step.at === 'asking' ? { ...step, slow: true } : step;
}

function switching(connection: Connection, is: boolean): Connection {
  return connection.at === 'connected' ? { ...connection, switching: is } : connection;
}
