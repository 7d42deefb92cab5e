import type {
  BalanceChange,
  DeclineAnswer,
  LinkAnswer,
  ProgressAnswer,
  QrDrawing,
  SimulationAnswer,
  SubmissionAnswer,
} from '#libs/approval-wire';
import { isHexText, isReadyCall, type Received, statusOf } from './document-reader.js';
import { isLike, isListOf, isMaybe, isNullOr, isNumber, isObjectOf, isOneOf, isText, type Shape } from './shapes.js';

const isUnits: Shape<string> = isLike(/^[0-9]{1,40}$/);

const isSimulation = isObjectOf<SimulationAnswer>({
  source: isOneOf('eth_simulateV1', 'eth_call', 'unavailable', 'no_transaction'),
  balances: isListOf(
    isObjectOf<BalanceChange>({
      wallet: isHexText,
      label: isOneOf('wallet', 'escrow', 'other'),
      before: isUnits,
      after: isUnits,
      change: isLike(/^-?[0-9]{1,40}$/),
    }),
  ),
  would_revert: isNullOr(isObjectOf<{ reason: string }>({ reason: isText })),
  gas: isNullOr(isObjectOf<{ units: string; eth: string }>({ units: isUnits, eth: isUnits })),
  block: isNullOr(isNumber),
});

const isProgress = isObjectOf<Received<ProgressAnswer>>({
  status: isText,
  transaction_hash: isMaybe(isText),
  block: isMaybe(isNumber),
  final_at_block: isMaybe(isNumber),
  head_block: isMaybe(isNumber),
  // A path of this host only.
  receipt_path: isMaybe(isLike(/^\/(?!\/)/)),
});

const isLink = isObjectOf<LinkAnswer>({
  signing_url: isText,
  expires_at: isText,
  qr: isMaybe(isObjectOf<QrDrawing>({ viewBox: isText, path: isText })),
});

// A call that cannot be read does not count as absent, because the page would then take the action for done.
const isSubmission = isObjectOf<Received<SubmissionAnswer>>({
  status: isText,
  transaction_hash: isMaybe(isText),
  transaction: isMaybe(isReadyCall),
});

const isDecline = isObjectOf<Received<DeclineAnswer>>({ status: isText });

/** What the action would do; null when the answer is of another shape. */
export function simulationOf(value: unknown): SimulationAnswer | null {
  return isSimulation(value) ? value : null;
}

/** How far the transaction is; null when the answer is of another shape. */
export function progressOf(value: unknown): ProgressAnswer | null {
  return isProgress(value) ? { ...value, status: statusOf(value.status) } : null;
}

/** A new link; null when the answer is of another shape. */
export function linkOf(value: unknown): LinkAnswer | null {
  return isLink(value) ? value : null;
}

/** What became of a signature or of a transaction; null when the answer is of another shape. */
export function submissionOf(value: unknown): SubmissionAnswer | null {
  return isSubmission(value) ? { ...value, status: statusOf(value.status) } : null;
}

/** Null when the answer is of another shape. */
export function declineOf(value: unknown): DeclineAnswer | null {
  return isDecline(value) ? { status: statusOf(value.status) } : null;
}
