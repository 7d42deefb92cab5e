import type { ApprovalState } from '../flow/state.js';
import { HexText } from './address.js';

/** Somebody said that the request was sent, and the network knows of no such transaction: a hint, and no more. */
export function SentHint({ state: { document, step, facts } }: { state: ApprovalState }) {
  const hash = document?.transaction_hash;
  if (document?.status !== 'unknown' || hash === undefined || step.at === 'sent') return null;
  return (
    <p class="notice warn hint">
      {facts.words['sent_hint']?.[1]} <HexText value={hash} />
    </p>
  );
}
