import type { components } from '../generated/interface.js';
import { type KnownEventType, EventStream, type MarketEvent, type StreamOptions } from '../events/resumed-stream.js';
import { unwrapWebhook } from '../events/webhook-signature.js';
import { type CallOptions, type Connection, taken, type WriteOptions } from '../http/connection.js';
import { Pages } from '../http/pages.js';
import type { ListOptions } from './task-operations.js';

type Schemas = components['schemas'];

/** What has happened. */
export class Events {
  constructor(private readonly connection: Connection) {}

  list({ signal, ...query }: ListOptions<'listEvents'> = {}): Pages<MarketEvent> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/events', { params: { query: { ...query, cursor } } })));
  }

  get(event_id: string, { signal }: CallOptions = {}): Promise<MarketEvent> {
    return taken(this.connection.as('read', signal).GET('/v1/events/{event_id}', { params: { path: { event_id } } }));
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
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/webhook-endpoints', { params: { query: { ...query, cursor } } })));
  }

  get(endpoint_id: string, { signal }: CallOptions = {}): Promise<Schemas['WebhookEndpoint']> {
    const params = { path: { endpoint_id } };
    return taken(this.connection.as('read', signal).GET('/v1/webhook-endpoints/{endpoint_id}', { params }));
  }

  /** The answer alone shows the secret. */
  create(
    body: Schemas['CreateWebhookEndpointBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['WebhookEndpointWithSecret']> {
    return this.connection.write('read', options, (api, header) =>
      api.POST('/v1/webhook-endpoints', { params: { header }, body }),
    );
  }

  update(
    endpoint_id: string,
    body: Schemas['UpdateWebhookEndpointBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['WebhookEndpoint']> {
    return this.connection.write('read', options, (api, header) =>
      api.PATCH('/v1/webhook-endpoints/{endpoint_id}', { params: { path: { endpoint_id }, header }, body }),
    );
  }

  delete(endpoint_id: string, options: WriteOptions = {}): Promise<Schemas['WebhookEndpoint']> {
    return this.connection.write('read', options, (api, header) =>
      api.DELETE('/v1/webhook-endpoints/{endpoint_id}', { params: { path: { endpoint_id }, header } }),
    );
  }

  rotateSecret(endpoint_id: string, options: WriteOptions = {}): Promise<Schemas['WebhookEndpointWithSecret']> {
    return this.connection.write('read', options, (api, header) =>
      api.POST('/v1/webhook-endpoints/{endpoint_id}/secret', { params: { path: { endpoint_id }, header } }),
    );
  }

  test(endpoint_id: string, options: WriteOptions = {}): Promise<Schemas['WebhookTest']> {
    return this.connection.write('read', options, (api, header) =>
      api.POST('/v1/webhook-endpoints/{endpoint_id}/test', { params: { path: { endpoint_id }, header } }),
    );
  }

  attempts(
    endpoint_id: string,
    { signal, ...query }: ListOptions<'listWebhookAttempts'> = {},
  ): Pages<Schemas['WebhookAttempt']> {
    const api = this.connection.as('read', signal);
    const path = '/v1/webhook-endpoints/{endpoint_id}/attempts';
    return new Pages((cursor) =>
      taken(api.GET(path, { params: { path: { endpoint_id }, query: { ...query, cursor } } })),
    );
  }

  replay(
    endpoint_id: string,
    body: Schemas['ReplayWebhookEventsBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['WebhookReplay']> {
    return this.connection.write('read', options, (api, header) =>
      api.POST('/v1/webhook-endpoints/{endpoint_id}/replay', { params: { path: { endpoint_id }, header }, body }),
    );
  }
}
