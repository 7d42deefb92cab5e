import type { Fetch } from '../http/retrying-fetch.js';
import { Marketplace } from '../marketplace.js';
import { ActionNotExecuted } from './action-watch.js';

/** A service whose action has these statuses, one a look; the stream tells of it whenever it is looked at, or is refused. */
function market(statuses: string[], hasStream: boolean) {
  let looks = 0;
  let tell: () => void = () => undefined;
  const fetch: Fetch = async (url, { signal }) => {
    if (!url.includes('/stream')) {
      const status = statuses[Math.min(looks, statuses.length - 1)];
      looks += 1;
      setImmediate(() => tell());
      return Response.json({ action_id: 'act_1', status }, { headers: { 'Poll-Interval': '0.01' } });
    }
    if (!hasStream) return Response.json({ error: { code: 'not_found', reason: 'None.' } }, { status: 404 });
    const body = new ReadableStream({
      start(controller) {
        const event = { id: 'evt_1', sequence: 1, type: 'action.signed', subject: { id: 'act_1' } };
        tell = () => {
          event.sequence += 1;
          controller.enqueue(new TextEncoder().encode(`id: evt_1\ndata: ${JSON.stringify(event)}\n\n`));
        };
        signal?.addEventListener('abort', () => {
          tell = () => undefined;
          controller.error(signal.reason);
        });
      },
    });
    return new Response(body);
  };
  const { actions } = new Marketplace({ baseUrl: 'https://m.example', keys: { read: 'key' }, fetch });
  return { actions, looks: () => looks };
}

describe.each([
  ['by events', true],
  ['by asking, where there is no stream', false],
])('waiting %s', (_how, hasStream) => {
  it('ends when the action is final', async () => {
    const { actions, looks } = market(['prepared', 'signed', 'confirmed', 'final'], hasStream);
    await expect(actions.wait('act_1')).resolves.toMatchObject({ status: 'final' });
    expect(looks()).toBeGreaterThanOrEqual(4);
  });

  it('ends earlier where that is enough', async () => {
    const { actions } = market(['prepared', 'submitted', 'confirmed'], hasStream);
    await expect(actions.wait('act_1', { until: 'confirmed' })).resolves.toMatchObject({ status: 'confirmed' });
  });

  it('a status that nobody knows yet is no end', async () => {
    const { actions } = market(['moonstruck', 'final'], hasStream);
    await expect(actions.wait('act_1')).resolves.toMatchObject({ status: 'final' });
  });

  it.each(['failed', 'declined', 'expired', 'superseded'])('an action that is %s is told', async (status) => {
    const { actions } = market(['prepared', status], hasStream);
    await expect(actions.wait('act_1')).rejects.toThrow(ActionNotExecuted);
  });

  it('a limit of time ends it', async () => {
    const { actions } = market(['prepared'], hasStream);
    await expect(actions.wait('act_1', { timeoutMs: 50 })).rejects.toThrow(/timeout/i);
  });
});
