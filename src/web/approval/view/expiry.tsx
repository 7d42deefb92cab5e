import { countdown } from '../format.js';

/** Further off, a computer's clock is worth a word, milliseconds. */
const SKEW_MS = 60_000;

/** How much time is left, by the service's clock. */
export function Expiry({ leftMs, skewMs }: { leftMs: number; skewMs: number }) {
  return (
    <p class="small">
      Expires in <span role="timer">{countdown(leftMs)}</span>.
      {Math.abs(skewMs) > SKEW_MS &&
        ` The clock of this computer is ${Math.round(Math.abs(skewMs) / 60_000)} min ${skewMs > 0 ? 'ahead' : 'behind'}.`}
    </p>
  );
}
