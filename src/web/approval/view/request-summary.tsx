import type { Description } from '#libs/prepared-action';
import { LONG_SENTENCE } from './format.js';
import type { ApprovalState } from '../flow/state.js';
import { Expiry } from './expiry.js';

interface RequestSummaryProps {
  state: ApprovalState;
  description: Description;
  /** True while the request can be signed or declined. */
  isOpen: boolean;
  leftMs: number;
}

/** What is asked, until when, and the delivery that it is about. */
export function RequestSummary({ state, description, isOpen, leftMs }: RequestSummaryProps) {
  const { facts, document, skewMs } = state;
  const { sentence, tone } = description;
  const { delivery } = facts.paths;
  return (
    <div class={`request ${tone}`}>
      <h1 class={sentence.length > LONG_SENTENCE ? 'long' : ''}>{sentence}</h1>
      <div class="meta">
        {delivery !== undefined && (
          <a class="button" href={delivery} target="_blank" rel="noopener">
            Look at the delivery<span class="visually-hidden"> (opens in a new tab)</span>
          </a>
        )}
        {isOpen && <Expiry {...{ leftMs, skewMs }} chainId={document?.deployment.chainId ?? 0} />}
      </div>
    </div>
  );
}

/** Tells this request from others: the app that asked shows the same words. */
export function MatchCode({ state: { facts } }: { state: ApprovalState }) {
  return (
    <details class="match">
      <summary>
        Match code <strong translate={false}>{facts.matchCode}</strong>
      </summary>
      <p class="small">{facts.words['match_code']?.[1]}</p>
    </details>
  );
}
