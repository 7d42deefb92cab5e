import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import type { Environment } from '../../platform/config/environment.js';

/** What is configured of the bus. */
export type BusSettings = Pick<Environment, 'eventsNatsUrl' | 'eventsNatsCredentials' | 'eventsNatsToken'>;

/** An open connection to the servers of the bus. */
export interface OpenBus {
  readonly publisher: JetStreamClient;
  readonly manager: JetStreamManager;
  /** True until it is lost. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** How long the servers may take to answer anything. */
export const ANSWER_MS = 5_000;
/** A connection on which this many pings, each after this long, were not answered is lost. */
const PING_MS = 10_000;
const UNANSWERED_PINGS = 2;

/**
 * Connects. The client is loaded only now, so a service without a bus never does. The connection is not mended when it is lost:
 * whoever connects anew must look first what is stored.
 */
export async function openBus(settings: BusSettings): Promise<OpenBus> {
  const [{ connect, ...transport }, { jetstream, jetstreamManager }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ]);
  const connection: NatsConnection = await connect(optionsOf(settings, transport));
  try {
    const manager = await jetstreamManager(connection, { timeout: ANSWER_MS });
    return {
      publisher: jetstream(connection, { timeout: ANSWER_MS }),
      manager,
      isOpen: () => !connection.isClosed(),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** How the client makes credentials; given, because it is loaded late. */
type Authenticators = Pick<
  typeof import('@nats-io/transport-node'),
  'credsAuthenticator' | 'tokenAuthenticator' | 'usernamePasswordAuthenticator'
>;

/** Options for the client, which by itself reads neither the user nor the scheme of a URL. */
export function optionsOf(
  { eventsNatsUrl, eventsNatsCredentials, eventsNatsToken }: BusSettings,
  authenticators: Authenticators,
): ConnectionOptions {
  const urls = (eventsNatsUrl ?? '').split(',').map((url) => new URL(url));
  const user = urls.find(({ username }) => username !== '');
  const options: ConnectionOptions = {
    servers: urls.map(({ host }) => host),
    name: 'tasktree',
    reconnect: false,
    timeout: ANSWER_MS,
    pingInterval: PING_MS,
    maxPingOut: UNANSWERED_PINGS,
    // With `tls://` a server that does not offer TLS is refused; with `nats://` one that offers it is spoken to by it.
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
  };
  const { credsAuthenticator, tokenAuthenticator, usernamePasswordAuthenticator } = authenticators;
  if (eventsNatsCredentials !== null) {
    options.authenticator = credsAuthenticator(Buffer.from(eventsNatsCredentials));
  } else if (eventsNatsToken !== null) options.authenticator = tokenAuthenticator(eventsNatsToken);
  else if (user) {
    const [name, password] = [user.username, user.password].map(decodeURIComponent);
    options.authenticator = usernamePasswordAuthenticator(name ?? '', password ?? '');
  }
  return options;
}
