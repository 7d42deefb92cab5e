import { hashTypedData, matchCode } from '#libs/prepared-action';
import type { PreparedAction } from '../parties/action-check.js';
import type { Actor } from '../parties/actor.js';

/** An action that waits for a signature on its page, and the one in whose name it was prepared. */
export interface Asked {
  action: PreparedAction;
  who: Actor;
  /** What it does, as the person would say it: "Put 315.00 USDC in escrow". */
  what: string;
}

/**
 * How it was decided. `sent`: on the page, and the wallet has sent the transaction with this hash. `by_program`: the demo
 * signs by itself. `again`: not signed, for this reason, so it is to be prepared once more.
 */
export type Decision = { by: 'page'; hash: string } | { by: 'program' } | { by: 'nobody'; why: string };

/** Who presses Sign at the one step that is a person's. */
export interface Approval {
  decide(asked: Asked): Promise<Decision>;
}

/** The demo signs by itself, like every other step. */
export const byProgram: Approval = { decide: () => Promise.resolve({ by: 'program' }) };

/** The person at the terminal wants no more. */
export class DemoQuit extends Error {
  override readonly name = 'DemoQuit';
}

/** The words that the page shows too, so that a person knows that both are about one action. */
export function matchCodeOf({ action: { payload } }: Asked): string {
  return matchCode(hashTypedData(payload).digest);
}
