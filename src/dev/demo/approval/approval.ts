import { hashTypedData, matchCode } from '#libs/prepared-action';
import type { PreparedAction } from '../parties/action-check.js';
import type { Actor } from '../parties/actor.js';

/** An action that waits for a signature on its page, and the actor who asked for it. */
export interface Asked {
  action: PreparedAction;
  who: Actor;
  /** What the action does, in a person's words: "Put 315.00 USDC in escrow". */
  what: string;
}

/**
 * Who decided on an action. `page`: it was signed on the page, and the wallet has sent the transaction with this hash.
 * `program`: the demo must sign it. `nobody`: it was not signed, for the reason `why`, and must be prepared again.
 */
export type Decision = { by: 'page'; hash: string } | { by: 'program' } | { by: 'nobody'; why: string };

/** Decides on the one action that a person signs. */
export interface Approval {
  decide(asked: Asked): Promise<Decision>;
}

/** The demo signs the action itself, like all other steps. */
export const byProgram: Approval = { decide: () => Promise.resolve({ by: 'program' }) };

/** The person at the terminal has quit the demo. */
export class DemoQuit extends Error {
  override readonly name = 'DemoQuit';
}

/**
 * The match code of an action. The page shows the same words, so that a person can see that both mean the same action.
 */
export function matchCodeOf({ action: { payload } }: Asked): string {
  return matchCode(hashTypedData(payload).digest);
}
