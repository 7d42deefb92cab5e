import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Provider } from 'oidc-provider';
import { ApiError } from '../../../platform/http/api-error.js';
import { AddressBudget } from '../../../platform/rate-limit/address-budget.js';
import { secondsUntil } from '../../../platform/rate-limit/limit-headers.js';
import { Clock } from '../../../platform/time/clock.js';
import { OAuthUnavailable } from '../protocol/oauth-fault.js';
import { OAUTH_PATHS } from '../protocol/oauth-paths.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';
import { errors } from '../protocol/oidc-provider.js';
import { documentHost } from './client-rules.js';
import { DocumentAsker } from './document-asker.js';
import { MetadataFetchError } from './metadata-fetch.js';

type ProviderClient = InstanceType<Provider['Client']>;
type Asking = NonNullable<DocumentAsker['current']>;

/** Endpoints at which an application proves itself, by keys if it has any. */
const AUTHENTICATING: ReadonlySet<string> = new Set([
  OAUTH_PATHS.token,
  OAUTH_PATHS.pushedAuthorizationRequest,
  OAUTH_PATHS.revocation,
  OAUTH_PATHS.introspection,
]);

const MAX_KEYED = 1_000;
/** How long fetched keys are kept: as long as the library keeps those of other applications at least. */
const KEYS_KEPT_MS = 60_000;
const RETRY_SECONDS = 2;

/**
 * Looks up applications that publish a document. The library calls one unknown (`invalid_client`) when its document or
 * its keys cannot be fetched for a moment, and clients then throw their tokens away. So that is told as a fault that
 * passes. (docs/decisions/oauth.md#fetched-metadata)
 */
@Injectable()
export class ClientLookUp {
  constructor(
    private readonly requests: OAuthRequests,
    private readonly asker: DocumentAsker,
    private readonly budget: AddressBudget,
    private readonly clock: Clock,
  ) {}

  /** Replaces the library's look-up. */
  install(Client: Provider['Client']): void {
    const find = Client.find.bind(Client);
    const keyed = new LRUCache<string, ProviderClient>({ max: MAX_KEYED, ttl: KEYS_KEPT_MS });
    Client.find = async (clientId) => {
      if (documentHost(clientId) === null) return find(clientId);
      // The id of a document has a path: a bare host is asked for nothing, so that its silence is no fault that passes.
      if (new URL(clientId).pathname === '/') return undefined;
      const { current } = this.requests;
      // The library looks an application up again for its error page, and then perhaps in a transaction.
      if (current?.failedLookUps.has(clientId) === true) throw current.failedLookUps.get(clientId);
      const asking: Asking = { clientId, request: current?.request ?? this.asker.visit };
      try {
        return await this.asker.run(asking, async () => {
          const found = await find(clientId);
          return found && (await this.withKeys(found, keyed));
        });
      } catch (error) {
        const failure = MetadataFetchError.behind(error);
        if (failure === null) throw error;
        const told = failure.isPassing ? this.unavailable(failure, asking) : error;
        current?.failedLookUps.set(clientId, told);
        throw told;
      }
    };
  }

  /**
   * The application with its keys, where it needs them now. The library makes each application with a document anew for
   * every request, and would fetch its keys as often, so the one of a moment ago is used while the document says the same.
   */
  private async withKeys(found: ProviderClient, keyed: LRUCache<string, ProviderClient>): Promise<ProviderClient> {
    const { clientId } = found;
    if (found.metadata().jwks_uri === undefined) return found;
    const kept = keyed.get(clientId);
    const isSame = kept !== undefined && JSON.stringify(kept.metadata()) === JSON.stringify(found.metadata());
    const client = isSame ? kept : found;
    if (!isSame) keyed.set(clientId, client);
    if (!AUTHENTICATING.has(this.requests.current?.request.path ?? '')) return client;
    try {
      await keysOf(client).refresh();
    } catch (error) {
      // The library's own name for it belongs to registrations.
      throw new errors.InvalidClientAuth({ cause: error });
    }
    return client;
  }

  private unavailable({ retryAtMs }: MetadataFetchError, { request, isKnown }: Asking): OAuthUnavailable {
    const seconds = retryAtMs === null ? RETRY_SECONDS : secondsUntil(retryAtMs, this.clock.nowMs());
    request?.res?.setHeader('Retry-After', seconds);
    // A fetch for a stranger is paid for by his address, as his other failures are.
    if (isKnown === false && request !== null && this.budget.isLeft(request.path)) void this.budget.charge(request.ip);
    const what = 'The service cannot read at the moment what the application publishes about itself.';
    return new OAuthUnavailable(
      new ApiError('service_unavailable', what, 'Nothing is lost. Try again in a moment.', {
        'Retry-After': String(seconds),
      }),
      'the service cannot fetch what the application publishes about itself',
    );
  }
}

/** The library's keys of an application; its types do not name them. */
function keysOf(client: ProviderClient): { refresh(): Promise<void> } {
  const keys: unknown = Reflect.get(client, 'asymmetricKeyStore');
  if (isKeyStore(keys)) return keys;
  throw new Error('The library does not keep the keys of applications as it did');
}

function isKeyStore(value: unknown): value is { refresh(): Promise<void> } {
  return typeof value === 'object' && value !== null && 'refresh' in value && typeof value.refresh === 'function';
}
