import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceVariables } from '../../../src/dev/local-market/local-service.js';
import { marketSecret } from '../e2e/market-fixture.js';
import { freePort } from '../loopback-port.js';
import { localMarket } from '../market.js';
import { ServiceProcess } from '../resilience/service-process.js';
import type { CookieJar } from './cookie-jar.js';
import { Person, type PersonWallet } from './person.js';

/** The limits of the market, which shares its database with the service. */
const GENEROUS: Record<string, string> = JSON.parse(readFileSync(join(__dirname, '../generous-limits.json'), 'utf8'));

export interface OAuthServiceOptions {
  /** Changed variables of the service. Give BASE_URL only when it must differ from where the service listens. */
  variables?: Readonly<Record<string, string>>;
  /** Makes BASE_URL from the port that was found. */
  baseUrl?: (port: number) => string;
}

/**
 * A service process of one spec, as it ships, on the database and chain of the market that runs for all e2e specs. It
 * shares the people and tasks of `MarketFixture`, but has its own log, limits and BASE_URL.
 */
export class OAuthService {
  private constructor(
    private readonly service: ServiceProcess,
    /** The URL that clients and browsers use. */
    readonly baseUrl: string,
    /** The URL at which the service listens. */
    readonly url: string,
  ) {}

  static async start({ variables = {}, baseUrl }: OAuthServiceOptions = {}): Promise<OAuthService> {
    const market = localMarket();
    const port = await freePort();
    const publicUrl = baseUrl?.(port) ?? `http://127.0.0.1:${port}`;
    const service = await ServiceProcess.start({
      ...serviceVariables({
        databaseUrl: market.database_url,
        rpcUrl: market.rpc_url,
        factory: market.escrow_factory_address,
        appSecret: marketSecret(),
        port,
        managementPort: 0,
        extra: GENEROUS,
      }),
      // The market's own service follows the chain.
      INDEXER_ENABLED: 'false',
      BASE_URL: publicUrl,
      ...variables,
    });
    return new OAuthService(service, publicUrl, `http://127.0.0.1:${port}`);
  }

  /** Everything that the service has logged. */
  get log(): string {
    return this.service.process.output;
  }

  /** A person who uses this service, by default with a new wallet and no cookies. */
  person(wallet?: PersonWallet, jar?: CookieJar): Person {
    return new Person(this.baseUrl, wallet, jar);
  }

  /** Calls the API with a token. */
  async call(
    path: string,
    authorization: string,
    init: RequestInit = {},
  ): Promise<{ status: number; headers: Headers; body: any }> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      ...init,
      headers: { Authorization: authorization, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Stops the service as an operator does, so that it writes everything it still has to. */
  async stop(): Promise<void> {
    await this.service.stop('SIGTERM');
  }
}
