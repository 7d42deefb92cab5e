import type { Decision } from './approval.js';
import type { ActionState, Actor } from '../parties/actor.js';
import { DemoMismatch } from '../parties/step-reporter.js';

const SETTLED = new Set(['confirmed', 'final']);
const GONE: Readonly<Record<string, string>> = {
  declined: 'It was declined on the page; nothing has moved.',
  expired: 'Its time was over before it was signed; nothing has moved.',
  superseded: 'A newer one took its place.',
};

/** Not decided yet: nothing is signed, it is signed and the call has to be sent, or it is on its way into a block. */
export type Undecided = 'unsigned' | 'signed' | 'sent';

const ON_THE_WAY: Readonly<Record<string, Undecided>> = { signed: 'signed', submitted: 'sent' };

/** What has become of an action so far; throws DemoMismatch when its transaction failed. */
export async function outcomeOf(who: Actor, actionId: string): Promise<Decision | Undecided> {
  const { status, transaction_hash: hash } = await who.client.get<ActionState>(`/v1/actions/${actionId}`);
  if (SETTLED.has(status) && hash !== undefined) return { by: 'page', hash };
  if (status === 'failed') throw new DemoMismatch(`The transaction of the action ${actionId} has failed.`);
  const why = Object.hasOwn(GONE, status) ? GONE[status] : undefined;
  return why === undefined ? (ON_THE_WAY[status] ?? 'unsigned') : { by: 'nobody', why };
}
