import type { Decision } from './approval.js';
import type { ActionState, Actor } from '../parties/actor.js';
import { DemoMismatch } from '../parties/step-reporter.js';

const SETTLED = new Set(['confirmed', 'final']);
const GONE: Readonly<Record<string, string>> = {
  declined: 'It was declined on the page; nothing has moved.',
  expired: 'Its time was over before it was signed; nothing has moved.',
  superseded: 'A newer one took its place.',
};

/**
 * States of an action that is not decided yet: not signed; signed, but the transaction not sent; sent, but not in a
 * block.
 */
export type Undecided = 'unsigned' | 'signed' | 'sent';

const ON_THE_WAY: Readonly<Record<string, Undecided>> = { signed: 'signed', submitted: 'sent' };

/**
 * Asks the service for the outcome of an action: a decision, or the state of an undecided action. Throws DemoMismatch
 * when its transaction failed.
 */
export async function outcomeOf(who: Actor, actionId: string): Promise<Decision | Undecided> {
  const { status, transaction_hash: hash } = await who.client.get<ActionState>(`/v1/actions/${actionId}`);
  if (SETTLED.has(status) && hash !== undefined) return { by: 'page', hash };
  if (status === 'failed') throw new DemoMismatch(`The transaction of the action ${actionId} has failed.`);
  const why = Object.hasOwn(GONE, status) ? GONE[status] : undefined;
  return why === undefined ? (ON_THE_WAY[status] ?? 'unsigned') : { by: 'nobody', why };
}
