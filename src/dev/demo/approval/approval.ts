import type { Actor, ShownAction } from '../parties/actor.js';

/** An action that waits for a signature on its page, and the actor who asked for it. */
export interface Asked {
  action: ShownAction;
  who: Actor;
  /** What the action does, in a person's words: "Put 315.00 USDC in escrow". */
  what: string;
  /** What comes of it on its page. */
  decided: Promise<Decision>;
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
