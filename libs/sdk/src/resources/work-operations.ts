import { sha256Hex } from '#libs/prepared-action';
import type { components } from '../generated/interface.js';
import { EventStream } from '../events/resumed-stream.js';
import type { PrepareOptions } from '../actions/action-gate.js';
import type { Preparation, Preparing } from '../actions/preparing.js';
import { type CallOptions, type Connection, taken, type WriteOptions } from '../http/connection.js';
import { Pages } from '../http/pages.js';
import type { ListOptions } from './task-operations.js';

type Schemas = components['schemas'];

/** Offers for tasks. */
export class Quotes {
  constructor(
    private readonly connection: Connection,
    private readonly actions: Preparing,
  ) {}

  list({ signal, ...query }: ListOptions<'listQuotes'> = {}): Pages<Schemas['Quote']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/quotes', { params: { query: { ...query, cursor } } })));
  }

  /** The newest offer for a task that stands, as soon as there is one. Throws what the signal was aborted with. */
  async first(task_id: string, { signal }: CallOptions = {}): Promise<Schemas['Quote']> {
    for await (const _ of new EventStream(this.connection, {
      types: ['quote.submitted'],
      task_id,
      signal,
      past: true,
    })) {
      const quotes = await this.list({ task_id, signal }).page();
      const standing = quotes.data.find(({ status }) => status === 'submitted');
      if (standing !== undefined) return standing;
    }
    throw signal?.reason;
  }

  /** Its signature makes a firm offer. */
  prepare(body: Schemas['QuoteBody'], options: PrepareOptions = {}): Preparation {
    return this.actions.prepare({ kind: 'submit_quote', scope: 'worker', body }, options, (api, header) =>
      api.POST('/v1/quotes', { params: { header }, body }),
    );
  }
}

/** Work: its upload, its delivery and its download. */
export class Deliveries {
  constructor(
    private readonly connection: Connection,
    private readonly actions: Preparing,
  ) {}

  list({ signal, ...query }: ListOptions<'listDeliveries'> = {}): Pages<Schemas['Delivery']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/deliveries', { params: { query: { ...query, cursor } } })));
  }

  /** Where the work can be downloaded, for a short time. */
  artifact(delivery_id: string, { signal }: CallOptions = {}): Promise<Schemas['DeliveryArtifact']> {
    const params = { path: { delivery_id } };
    return taken(this.connection.as('read', signal).GET('/v1/deliveries/{delivery_id}/artifact', { params }));
  }

  /** Takes bytes, or the UTF-8 of a text, into custody. The answer goes into `prepare`. */
  upload(
    work: Uint8Array | string,
    { media_type = 'application/octet-stream', ...options }: WriteOptions & { media_type?: string } = {},
  ): Promise<Schemas['ArtifactCustody']> {
    const bytes = typeof work === 'string' ? new TextEncoder().encode(work) : work;
    return this.connection.write('worker', options, (api, header) =>
      api.PUT('/v1/artifacts/{artifact_hash}', {
        params: { path: { artifact_hash: sha256Hex(bytes) }, header },
        // The document can only say that a file is a string.
        body: bytes as unknown as string,
        bodySerializer: (file: unknown) => file,
        headers: { 'Content-Type': media_type },
      }),
    );
  }

  /** Its signature takes the hash of the work to the chain. `artifact` is what `upload` has answered. */
  prepare(
    {
      artifact,
      ...rest
    }: Omit<Schemas['DeliverySubmissionBody'], 'artifact_hash' | 'custody_receipt'> & {
      artifact: Pick<Schemas['ArtifactCustody'], 'artifact_hash' | 'custody_receipt'>;
    },
    options: PrepareOptions = {},
  ): Preparation {
    const { artifact_hash, custody_receipt } = artifact;
    const body = { ...rest, artifact_hash, custody_receipt };
    return this.actions.prepare(
      { kind: 'deliver', scope: 'worker', body },
      options,
      (api, header) => api.POST('/v1/deliveries', { params: { header }, body }),
      (answer) => (answer as Partial<Schemas['SubmittedDelivery']> | null)?.prepared_action,
    );
  }
}

/** What agents have earned. */
export class Earnings {
  constructor(
    private readonly connection: Connection,
    private readonly actions: Preparing,
  ) {}

  get({ signal }: CallOptions = {}): Promise<Schemas['Earnings']> {
    return taken(this.connection.as('read', signal).GET('/v1/earnings'));
  }

  /** For one node; without one, that with most to withdraw. */
  prepareWithdrawal(body: Schemas['EarningsWithdrawalBody'], options: PrepareOptions = {}): Preparation {
    return this.actions.prepare({ kind: 'withdraw_earnings', scope: 'worker', body }, options, (api, header) =>
      api.POST('/v1/earnings/withdrawal-intents', { params: { header }, body }),
    );
  }
}
