import { Refusal } from '../document/refusal.js';
import type { FakeEndpoint, MarketState, Schemas } from '../state/market-state.js';
import { type Call, type Handler, recordsOf } from './call.js';

/** Events, and the addresses that they would be sent to. */
export const NEWS_OPERATIONS: Readonly<Record<string, Handler>> = {
  listEvents: ({ state, party, query }) => {
    const events = state.eventsOf(party);
    const { after, types } = query;
    const from = after === undefined ? -1 : events.findIndex(({ id }) => id === after);
    if (after !== undefined && from < 0) throw new Refusal('invalid_cursor');
    return events
      .slice(from + 1)
      .filter(({ type }) => types === undefined || types.split(',').includes(type))
      .filter(({ subject }) => subject.task_id === (query['task_id'] ?? subject.task_id));
  },
  getEvent: ({ state, party, params }) => {
    const event = state.eventsOf(party).find(({ id }) => id === params['event_id']);
    if (event === undefined) throw new Refusal('not_found');
    return event;
  },

  listWebhookEndpoints: ({ state, party }) => recordsOf(state.endpoints, party),
  getWebhookEndpoint: (call) => endpointOf(call).record,
  createWebhookEndpoint: ({ state, party, body }) => {
    const { url, types = [] } = body as Schemas['CreateWebhookEndpointBody'];
    const at = state.instant();
    const own = { id: state.id('whe'), url, types, status: 'enabled', waiting: 0 };
    const record: Schemas['WebhookEndpoint'] = { ...own, created_at: at, updated_at: at };
    state.endpoints.push({ owner: party, record, attempts: [] });
    return { ...record, secret: secretOf(state) };
  },
  updateWebhookEndpoint: (call) => {
    const { record } = endpointOf(call);
    const { enabled, ...changed } = call.body as Schemas['UpdateWebhookEndpointBody'];
    Object.assign(record, changed, { updated_at: call.state.instant() });
    if (enabled !== undefined) record.status = enabled ? 'enabled' : 'disabled';
    return record;
  },
  deleteWebhookEndpoint: (call) => {
    const endpoint = endpointOf(call);
    call.state.endpoints.splice(call.state.endpoints.indexOf(endpoint), 1);
    return endpoint.record;
  },
  rotateWebhookSecret: (call) => {
    const { record } = endpointOf(call);
    record.previous_secret_until = call.state.inDays(1);
    return { ...record, secret: secretOf(call.state) };
  },
  testWebhookEndpoint: (call) => {
    const { record } = endpointOf(call);
    const subject = { kind: 'webhook_endpoint', id: record.id };
    return { event_id: call.state.tell('webhook_endpoint.test', subject, {}, [call.party]).id };
  },
  listWebhookAttempts: (call) => endpointOf(call).attempts,
  replayWebhookEvents: (call) => {
    endpointOf(call);
    const { event_ids, since } = call.body as Schemas['ReplayWebhookEventsBody'];
    const events = call.state
      .eventsOf(call.party)
      .filter(({ id, timestamp }) => event_ids?.includes(id) ?? timestamp >= (since ?? ''));
    return { ...(since === undefined ? {} : { since }), events: events.length };
  },
};

function endpointOf({ state, party, params }: Call): FakeEndpoint {
  const endpoint = state.endpoints.find(({ owner, record }) => owner === party && record.id === params['endpoint_id']);
  if (endpoint === undefined) throw new Refusal('not_found');
  return endpoint;
}

function secretOf(state: MarketState): string {
  return `whsec_${btoa(state.hash().slice(-24))}`;
}
