import type { ApprovalState } from '../flow/state.js';
import { HexText } from './address.js';

/** Somebody said that the request was sent, and the network knows of no such transaction: a hint, and no more. */
export function SentHint({ state: { document, step } }: { state: ApprovalState }) {
  const hash = document?.transaction_hash;
  if (document?.status !== 'unknown' || hash === undefined || step.at === 'sent') return null;
  return (
    <p class="notice warn hint">
      A transaction was reported for this request, and the network does not show it: <HexText value={hash} /> If you
      sent it, wait a moment. If you did not, go on as if it were not there.
    </p>
  );
}
