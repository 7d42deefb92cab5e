import { clockWords, countdown } from './format.js';

/** A clock that is further off than this is mentioned, milliseconds. */
const SKEW_MS = 60_000;
/** Chain of a market on the reader's own machine, where a demo moves the time. */
const LOCAL_CHAIN_ID = 31_337;

/** How much time is left, by the service's clock. */
export function Expiry({ leftMs, skewMs, chainId }: { leftMs: number; skewMs: number; chainId: number }) {
  return (
    <p class="small">
      Expires in <span role="timer">{countdown(leftMs)}</span>
      {Math.abs(skewMs) > SKEW_MS && <>. {clockWords(skewMs, chainId === LOCAL_CHAIN_ID)}</>}
    </p>
  );
}
