import type { Decision } from './approval.js';
import type { ActionState, Player } from './player.js';
import { DemoMismatch } from './teller.js';

const SETTLED = new Set(['confirmed', 'final']);
const GONE: Readonly<Record<string, string>> = {
  declined: 'It was declined on the page; nothing has moved.',
  expired: 'Its time was over before it was signed; nothing has moved.',
  superseded: 'A newer one took its place.',
};

/** What has become of an action so far; null while nothing is decided. Throws DemoMismatch when its transaction failed. */
export async function outcomeOf(who: Player, actionId: string): Promise<Decision | null> {
  const { status, transaction_hash: hash } = await who.client.get<ActionState>(`/v1/actions/${actionId}`);
  if (SETTLED.has(status) && hash !== undefined) return { by: 'page', hash };
  if (status === 'failed') throw new DemoMismatch(`The transaction of the action ${actionId} has failed.`);
  const why = Object.hasOwn(GONE, status) ? GONE[status] : undefined;
  return why === undefined ? null : { by: 'nobody', why };
}
