import type { components } from '../generated/interface.js';
import { type KnownEventType, EventStream, type MarketEvent, type StreamOptions } from '../events/resumed-stream.js';
import { unwrapWebhook } from '../events/webhook-signature.js';
import { type CallOptions, type Connection, taken, writeHeader, type WriteOptions } from '../http/connection.js';
import { Pages } from '../http/pages.js';
import type { ListOptions } from './task-operations.js';

type Schemas = components['schemas'];

/** What has happened. */
export class Events {
  constructor(private readonly connection: Connection) {}

  list({ signal, ...query }: ListOptions<'listEvents'> = {}): Pages<MarketEvent> {
    const api = this.connection.as('read');
    return new Pages((cursor) => taken(api.GET('/v1/events', { params: { query: { ...query, cursor } }, signal })));
  }

  get(event_id: string, { signal }: CallOptions = {}): Promise<MarketEvent> {
    return taken(this.connection.as('read').GET('/v1/events/{event_id}', { params: { path: { event_id } }, signal }));
  }

  /**
   * The first event of this type, which may have happened already. Throws what the signal was aborted with, MarketError.
   */
  async once(type: KnownEventType, options: Omit<StreamOptions, 'types' | 'past'> = {}): Promise<MarketEvent> {
    for await (const event of this.stream({ ...options, types: [type], past: true })) return event;
    throw options.signal?.reason;
  }

  /** Goes on until the loop is left or the signal is aborted, over every end of the connection. */
  stream(options: StreamOptions = {}): EventStream {
    return new EventStream(this.connection, options);
  }
}

/** Addresses that events are sent to. */
export class Webhooks {
  constructor(private readonly connection: Connection) {}

  /** The event of a message that has arrived. Throws WebhookRejected. */
  readonly unwrap = unwrapWebhook;

  list({ signal, ...query }: ListOptions<'listWebhookEndpoints'> = {}): Pages<Schemas['WebhookEndpoint']> {
    const api = this.connection.as('read');
    return new Pages((cursor) =>
      taken(api.GET('/v1/webhook-endpoints', { params: { query: { ...query, cursor } }, signal })),
    );
  }

  get(endpoint_id: string, { signal }: CallOptions = {}): Promise<Schemas['WebhookEndpoint']> {
    const params = { path: { endpoint_id } };
    return taken(this.connection.as('read').GET('/v1/webhook-endpoints/{endpoint_id}', { params, signal }));
  }

  /** The answer alone shows the secret. */
  create(
    body: Schemas['CreateWebhookEndpointBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['WebhookEndpointWithSecret']> {
    const header = writeHeader(options);
    const api = this.connection.as('read');
    return taken(api.POST('/v1/webhook-endpoints', { params: { header }, body, signal: options.signal }), header);
  }

  update(
    endpoint_id: string,
    body: Schemas['UpdateWebhookEndpointBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['WebhookEndpoint']> {
    const header = writeHeader(options);
    const params = { path: { endpoint_id }, header };
    const api = this.connection.as('read');
    return taken(api.PATCH('/v1/webhook-endpoints/{endpoint_id}', { params, body, signal: options.signal }), header);
  }

  delete(endpoint_id: string, options: WriteOptions = {}): Promise<Schemas['WebhookEndpoint']> {
    const header = writeHeader(options);
    const params = { path: { endpoint_id }, header };
    const api = this.connection.as('read');
    return taken(api.DELETE('/v1/webhook-endpoints/{endpoint_id}', { params, signal: options.signal }), header);
  }

  rotateSecret(endpoint_id: string, options: WriteOptions = {}): Promise<Schemas['WebhookEndpointWithSecret']> {
    const header = writeHeader(options);
    const params = { path: { endpoint_id }, header };
    const api = this.connection.as('read');
    return taken(api.POST('/v1/webhook-endpoints/{endpoint_id}/secret', { params, signal: options.signal }), header);
  }

  test(endpoint_id: string, options: WriteOptions = {}): Promise<Schemas['WebhookTest']> {
    const header = writeHeader(options);
    const params = { path: { endpoint_id }, header };
    const api = this.connection.as('read');
    return taken(api.POST('/v1/webhook-endpoints/{endpoint_id}/test', { params, signal: options.signal }), header);
  }

  attempts(
    endpoint_id: string,
    { signal, ...query }: ListOptions<'listWebhookAttempts'> = {},
  ): Pages<Schemas['WebhookAttempt']> {
    const api = this.connection.as('read');
    const path = '/v1/webhook-endpoints/{endpoint_id}/attempts';
    return new Pages((cursor) =>
      taken(api.GET(path, { params: { path: { endpoint_id }, query: { ...query, cursor } }, signal })),
    );
  }

  replay(
    endpoint_id: string,
    body: Schemas['ReplayWebhookEventsBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['WebhookReplay']> {
    const header = writeHeader(options);
    const params = { path: { endpoint_id }, header };
    const api = this.connection.as('read');
    return taken(
      api.POST('/v1/webhook-endpoints/{endpoint_id}/replay', { params, body, signal: options.signal }),
      header,
    );
  }
}
