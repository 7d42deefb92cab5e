import type { Fetch } from '../http/retrying-fetch.js';
import { Marketplace } from '../marketplace.js';
import { ActionNotExecuted } from './action-watch.js';

/**
 * A service whose actions have these statuses, one a look; the stream tells of an action whenever it is looked at, or is
 * refused.
 */
function market(statuses: string[], hasStream: boolean, kind = 'fund_task') {
  const looks = new Map<string, number>();
  const streams = { opened: 0, open: 0 };
  const tellers = new Set<(actionId: string) => void>();
  const fetch: Fetch = async (url, { signal }) => {
    if (!url.includes('/stream')) {
      const actionId = url.split('/').at(-1) ?? '';
      const look = looks.get(actionId) ?? 0;
      looks.set(actionId, look + 1);
      setImmediate(() => tellers.forEach((tell) => tell(actionId)));
      const status = statuses[Math.min(look, statuses.length - 1)];
      return Response.json({ action_id: actionId, kind, status }, { headers: { 'Poll-Interval': '0.01' } });
    }
    streams.opened += 1;
    if (!hasStream) return Response.json({ error: { code: 'not_found', reason: 'None.' } }, { status: 404 });
    streams.open += 1;
    const body = new ReadableStream({
      start(controller) {
        let sequence = 1;
        const tell = (id: string) => {
          const event = { id: 'evt_1', sequence: (sequence += 1), type: 'action.signed', subject: { id } };
          controller.enqueue(new TextEncoder().encode(`id: evt_1\ndata: ${JSON.stringify(event)}\n\n`));
        };
        tellers.add(tell);
        signal?.addEventListener('abort', () => {
          tellers.delete(tell);
          streams.open -= 1;
          controller.error(signal.reason);
        });
      },
    });
    return new Response(body);
  };
  const { actions } = new Marketplace({ baseUrl: 'https://m.example', keys: { read: 'key' }, fetch });
  return { actions, looks: () => looks.get('act_1') ?? 0, streams };
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

  it.each(['submit_quote', 'select_agent', 'create_task'])('%s ends with its signature', async (kind) => {
    const { actions } = market(['prepared', 'signed'], hasStream, kind);
    await expect(actions.wait('act_1', { timeoutMs: 5_000 })).resolves.toMatchObject({ status: 'signed' });
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

it('ten waits at once listen to one stream, which ends with the last of them', async () => {
  const { actions, streams } = market(['prepared', 'signed', 'submitted', 'final'], true);
  const ids = Array.from({ length: 10 }, (_, at) => `act_${at}`);
  const waits = ids.map((id, at) => actions.wait(id, { until: at === 0 ? 'signed' : 'final' }));
  await waits[0];
  expect(streams).toEqual({ opened: 1, open: 1 });
  const records = await Promise.all(waits);
  expect(records.map(({ action_id: id }) => id)).toEqual(ids);
  expect(streams).toEqual({ opened: 1, open: 0 });
  await actions.wait('act_10');
  expect(streams).toEqual({ opened: 2, open: 0 });
});
