import type { Hex } from '#libs/notation';
import type { ChainReading, Check, Description } from '#libs/prepared-action';
import type { ApprovalDocument, LinkAnswer, ProgressAnswer, ReadyCall, SimulationAnswer } from '#libs/approval-wire';
import type { Wallet } from '../../wallets/discovery.js';
import type { WalletFailure } from '../../wallets/provider.js';
import type { PageFacts } from '../service/page-facts.js';

/** Whether the document is there. `lost`: this browser does not hold the request any more, whatever it has read of it. */
export type Loading = 'loading' | 'away' | 'lost' | 'unreadable' | 'loaded';

/** The account that the chosen wallet has shown. */
export interface Account {
  address: string;
  chainId: number;
  /** True: a contract checks its signatures (ERC-1271). */
  isContract: boolean;
  /** True: its wallet can make several calls as one (EIP-5792). */
  canBundle: boolean;
  /** True: it also lets somebody else pay the network's fee of those calls (ERC-7677). */
  takesPaymaster: boolean;
}

export type Connection =
  | { at: 'none' }
  | { at: 'asking'; wallet: Wallet; slow: boolean }
  | { at: 'connected'; wallet: Wallet; account: Account; switching: boolean };

/** What the verifier and the wallet's own node say of the document for the connected account. */
export interface Verdict {
  checks: readonly Check[];
  /** No check failed, and those that must be known are known. */
  isSignable: boolean;
  /** Null: the kind is not known. */
  description: Description | null;
}

/** What the wallet's own node says; null: it did not answer. */
export interface WalletFindings {
  reading: ChainReading | null;
  /** Wei for the network's fee; null: not known. */
  gasBalance: bigint | null;
}

export type WalletTask = 'connect' | 'switch' | 'sign' | 'send';
export type ServiceTask = 'submit' | 'decline' | 'renew' | 'link';
/**
 * `invalid`: the wallet signed something else. `inactive`: its contract does not exist yet, so nobody can ask it.
 * `foreign_call`: the call that came back does not carry this action and this signature.
 */
export type Refusal = 'invalid' | 'inactive' | 'foreign_call';

/** The way of one signature. Each step is entered from the one before it, or is left for `review`. */
export type Step =
  | { at: 'review' }
  /** `call`: the call that the wallet is asked to send; null while it is asked for the signature. */
  | { at: 'asking'; call: ReadyCall | null; slow: boolean }
  | { at: 'submitting'; signature: Hex }
  /** The service could not be told; the signature is kept, so that nobody has to sign twice. */
  | { at: 'unsent'; signature: Hex }
  | { at: 'refused'; reason: Refusal; detail: string }
  /**
   * `call` is ready for the wallet to send; null: the signature is enough. A signature from before the page was opened
   * is in the document, and the step is `review` until it is sent: it is checked like anything that is to be signed.
   */
  | { at: 'signed'; call: ReadyCall | null }
  /** `hash`: null while the wallet has not told which transaction it is. `call`: as it was asked to send it. */
  | { at: 'sent'; hash: string | null; progress: ProgressAnswer | null; call: ReadyCall | null };

/** Why the last question to a wallet or to the service came to nothing. */
export type Problem =
  | { from: 'wallet'; during: WalletTask; failure: WalletFailure }
  | { from: 'service'; during: ServiceTask; reason: string };

/** Everything that the page shows follows from this. */
export interface ApprovalState {
  readonly facts: PageFacts;
  readonly loading: Loading;
  readonly document: ApprovalDocument | null;
  /** The service's clock, milliseconds; 0 before it is known. */
  readonly nowMs: number;
  /** How far the computer's clock is off the service's, milliseconds. */
  readonly skewMs: number;
  readonly isOnline: boolean;
  readonly wallets: readonly Wallet[];
  readonly isSearching: boolean;
  readonly connection: Connection;
  /** Null: not asked yet. */
  readonly findings: WalletFindings | null;
  /** Null: not asked yet. */
  readonly simulation: SimulationAnswer | null;
  readonly verdict: Verdict | null;
  /** True: the box of an action that cannot be undone is ticked. */
  readonly isConfirmed: boolean;
  readonly step: Step;
  readonly problem: Problem | null;
  /** A link for another device; null: none was made. */
  readonly deviceLink: LinkAnswer | null;
}

/** Events that come from the service, the browser and the clock. */
export type LoadingEvent =
  | { type: 'document_arrived'; document: ApprovalDocument; nowMs: number; skewMs: number }
  | { type: 'document_missing'; why: 'away' | 'lost' | 'unreadable' }
  | { type: 'reload' }
  | { type: 'tick'; nowMs: number }
  | { type: 'online_changed'; isOnline: boolean }
  | { type: 'wallet_found'; wallet: Wallet }
  | { type: 'wallet_search_ended' };

/** Events on the way to a wallet that can sign, and to a verdict on the request. */
export type ReviewEvent =
  | { type: 'connect_asked'; wallet: Wallet }
  | { type: 'wallet_is_slow' }
  | { type: 'connected'; wallet: Wallet; account: Account }
  | { type: 'disconnected' }
  | { type: 'switch_asked' }
  | { type: 'findings_arrived'; findings: WalletFindings }
  | { type: 'simulation_arrived'; simulation: SimulationAnswer }
  | { type: 'checks_restarted' }
  | { type: 'verified'; verdict: Verdict }
  | { type: 'confirmed_changed'; isConfirmed: boolean };

/** Events of signing, sending and declining. */
export type SigningEvent =
  | { type: 'wallet_asked'; call: ReadyCall | null }
  | { type: 'question_dropped' }
  | { type: 'wallet_failed'; during: WalletTask; failure: WalletFailure }
  | { type: 'signature_made'; signature: Hex }
  | { type: 'submission_away'; signature: Hex }
  | { type: 'signature_refused'; reason: Refusal; detail: string }
  | { type: 'signature_taken'; call: ReadyCall | null }
  | { type: 'sent'; hash: string | null }
  | { type: 'progress_arrived'; progress: ProgressAnswer }
  | { type: 'declined' }
  | { type: 'link_made'; link: LinkAnswer }
  | { type: 'service_refused'; during: ServiceTask; reason: string };

/** Everything that can happen. */
export type ApprovalEvent = LoadingEvent | ReviewEvent | SigningEvent;

/** The state of a page that has just been opened. */
export function openedPage(facts: PageFacts): ApprovalState {
  return {
    facts,
    loading: 'loading',
    document: null,
    nowMs: 0,
    skewMs: 0,
    isOnline: true,
    wallets: [],
    isSearching: true,
    connection: { at: 'none' },
    findings: null,
    simulation: null,
    verdict: null,
    isConfirmed: false,
    step: { at: 'review' },
    problem: null,
    deviceLink: null,
  };
}
