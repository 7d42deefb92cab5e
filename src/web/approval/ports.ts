import type { Hex } from '#libs/notation';
import type { ActionStatus } from '#libs/prepared-action';
import type {
  ApprovalDocument,
  DeclineAnswer,
  LinkAnswer,
  ProgressAnswer,
  SimulationAnswer,
  SubmissionAnswer,
} from '#libs/approval-wire';
import type { Provider } from '../wallets/provider.js';
import type { Wallet } from '../wallets/discovery.js';

/** What the service answered. `away`: it was not reached, or something else answered in its place. */
export type Answer<T> =
  | {
      kind: 'ok';
      body: T;
      /** The service's clock, milliseconds; null where the header is missing. */ dateMs: number | null;
    }
  | { kind: 'refused'; status: number; code: string; reason: string }
  | { kind: 'away' };

/** The routes of this one request. */
export interface ApprovalService {
  document(): Promise<Answer<ApprovalDocument>>;
  simulation(): Promise<Answer<SimulationAnswer>>;
  submitSignature(signature: Hex): Promise<Answer<SubmissionAnswer>>;
  submitTransaction(hash: Hex): Promise<Answer<SubmissionAnswer>>;
  decline(): Promise<Answer<DeclineAnswer>>;
  renew(): Promise<Answer<LinkAnswer>>;
  link(): Promise<Answer<LinkAnswer>>;
  /**
   * How far the transaction is. With the status that is known it is answered once there is another one, or after some
   * seconds with the same; where the service cannot wait, at once.
   */
  progress(known: ActionStatus | undefined): Promise<Answer<ProgressAnswer>>;
}

/** The browser around the page. */
export interface Surroundings {
  /** Milliseconds that only go forward; their zero means nothing. */
  elapsedMs(): number;
  /** The computer's own clock, milliseconds since the epoch: used only where the service does not say the time. */
  computerTimeMs(): number;
  isOnline(): boolean;
  onOnlineChange(listener: () => void): void;
  /** The page is seen again: its tab was chosen, or the person came back to it. */
  onReturn(listener: () => void): void;
  /** Every `ms` while the page is seen. */
  every(ms: number, run: () => void): void;
  after(ms: number, run: () => void): () => void;
  discover(offer: (wallet: Wallet) => void, onEnd: () => void): void;
  /** Leaves for a page of this site. */
  open(url: string): void;
}

export type { Provider, Wallet };
