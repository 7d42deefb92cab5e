import { deepStrictEqual } from 'node:assert';
import type { Wallet } from 'ethers';
import { OAuthClients } from '../../../src/modules/oauth/storage/oauth-clients.js';
import type { NewClient } from '../../../src/modules/oauth/registration/new-client.js';
import { OAuthSweeper } from '../../../src/modules/oauth/storage/oauth.sweeper.js';
import { type Connection, tokensOf } from '../../support/oauth/connected-client.js';
import { ListeningService, type ListeningOptions } from '../../support/listening-service.js';
import { type Authorization, PlainClient } from '../../support/oauth/oauth-client.js';
import { type Consent, Person } from '../../support/oauth/person.js';

/** Redirect address of the honest application. */
export const CALLBACK = 'http://127.0.0.1:61234/callback';
/** Redirect address of the application that the operator registered. */
export const WEB_CALLBACK = 'https://app.example/cb';

/** One audit event, without what differs from run to run. */
export interface AuditRow {
  event: string;
  account_id: string | null;
  client_id: string | null;
  credential_id: string | null;
  detail: Record<string, unknown>;
}

/** An answer that was read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Absolute address of a redirect; null when there is none. */
  location: URL | null;
  text: string;
}

/** Everything that an attack could want to change. Pages that were begun and stored answers are left out. */
const STATE = `SELECT
  (SELECT json_agg(k ORDER BY k.kind) FROM (
     SELECT kind, count(*) AS rows, count(consumed_at) AS used FROM oauth_records
     WHERE kind IN ('Client', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken') GROUP BY kind) k) AS records,
  (SELECT json_agg(json_build_array(id, scopes, funding_cap, revoked_at) ORDER BY id) FROM oauth_grants) AS grants,
  (SELECT json_agg(json_build_array(id, wallet_address, status) ORDER BY id) FROM accounts) AS accounts,
  (SELECT json_agg(json_build_array(account_id, address) ORDER BY account_id, address) FROM account_wallets) AS wallets,
  (SELECT json_agg(json_build_array(id, ended_at) ORDER BY id) FROM browser_sessions) AS sessions,
  (SELECT json_agg(json_build_array(id, consumed_at) ORDER BY id) FROM wallet_challenges WHERE consumed_at IS NOT NULL)
    AS proofs,
  (SELECT count(*) FROM api_keys) AS keys`;

/** A service with an honest application and honest people, for specs to attack. */
export class AttackFixture {
  private constructor(
    readonly app: ListeningService,
    /** The honest application: it registered itself, is public, and runs on the person's own machine. */
    readonly client: PlainClient,
  ) {}

  static async start(options: ListeningOptions = {}): Promise<AttackFixture> {
    const { override } = options;
    const app = await ListeningService.listen({
      ...options,
      // Without the sweeper, because rows that expire meanwhile would look like the effect of an attack.
      override: (testing) => {
        const still = testing.overrideProvider(OAuthSweeper).useValue({});
        return override ? override(still) : still;
      },
    });
    return new AttackFixture(app, await PlainClient.register(app.url, CALLBACK, { client_name: 'Honest' }));
  }

  get url(): string {
    return this.app.url;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  person(wallet?: Wallet): Person {
    return new Person(this.url, wallet);
  }

  /** An application that the operator registers; by default public and on the web. */
  register(own: Partial<NewClient> = {}): Promise<{ clientId: string; secret: string | null }> {
    const client = { name: 'Web', redirectUris: [WEB_CALLBACK], authMethod: 'none', ...own } as const;
    return this.app.get(OAuthClients).register(client, null);
  }

  /** A person who has allowed the honest application. @returns the code, not redeemed yet. */
  async code(
    scope = 'read buyer',
    own: Readonly<Record<string, string>> = {},
    consent: Consent = {},
  ): Promise<{ person: Person; asked: Authorization; redirect: URL; code: string }> {
    const person = this.person();
    const asked = this.client.authorization(scope, own);
    const redirect = await person.authorize(asked.url, consent);
    return { person, asked, redirect, code: redirect.searchParams.get('code') ?? '' };
  }

  /** Like `code`, and redeems the code. @returns the tokens. */
  async tokens(
    scope = 'read buyer',
    consent: Consent = {},
  ): Promise<Connection['tokens'] & { person: Person; code: string }> {
    const { person, asked, redirect, code } = await this.code(scope, {}, consent);
    return { ...tokensOf(await this.client.redeem(redirect, asked)), person, code };
  }

  /** Sends one request without cookies, and does not follow redirects. */
  async send(path: string | URL, init: RequestInit = {}): Promise<Answer> {
    const target = new URL(path, this.url);
    const response = await fetch(target, { redirect: 'manual', ...init });
    return answerOf(target, response);
  }

  /** Sends a form, as raw text or as members, to an endpoint of the authorization server. */
  form(
    path: string,
    members: Readonly<Record<string, string>> | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams(members).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  /** The status with which the API answers a token. */
  async opens(token: string, scheme = 'Bearer'): Promise<number> {
    return (await this.send('/v1/tasks', { headers: { Authorization: `${scheme} ${token}` } })).status;
  }

  /** Runs an attack and checks that nothing has changed. @throws AssertionError with what has. */
  async unharmed<T>(attack: () => Promise<T>): Promise<T> {
    const before = await this.app.rows(STATE);
    const result = await attack();
    deepStrictEqual(await this.app.rows(STATE), before);
    return result;
  }

  /** Like `unharmed`, but a code may have been used up, because the attacker came with its verifier. */
  async fruitless<T>(attack: () => Promise<T>): Promise<T> {
    const state = STATE.replace('count(consumed_at)', "count(consumed_at) FILTER (WHERE kind <> 'AuthorizationCode')");
    const before = await this.app.rows(state);
    const result = await attack();
    deepStrictEqual(await this.app.rows(state), before);
    return result;
  }

  /** The audit events of the request that was answered with these headers. */
  audit({ headers }: { headers: Headers }): Promise<AuditRow[]> {
    return this.app.rows<AuditRow>(
      `SELECT event, account_id, client_id, credential_id, detail FROM audit_events
       WHERE request_id = $1 ORDER BY id`,
      [headers.get('X-Request-Id')],
    );
  }

  /** Names of the audit events of the request that got this answer. */
  async events(answer: { headers: Headers }): Promise<string[]> {
    return (await this.audit(answer)).map(({ event }) => event);
  }
}

/** Reads an answer to its end. */
export async function answerOf(target: URL, response: Response): Promise<Answer> {
  const location = response.headers.get('Location');
  return {
    status: response.status,
    headers: response.headers,
    location: location === null ? null : new URL(location, target),
    text: await response.text(),
  };
}

/** Status and RFC error of a JSON answer. */
export function refusal({ status, text }: Answer): [number, unknown] {
  const body: unknown = JSON.parse(text);
  return [status, typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined];
}

/** The parameters sent to the application, in the query or the fragment; null when there was no redirect to it. */
export function toldClient({ location }: Answer, callback = CALLBACK): URLSearchParams | null {
  if (location === null || !location.href.startsWith(callback)) return null;
  return new URLSearchParams(location.search || location.hash.slice(1));
}

/** The text without long random parts, in which any word may occur. */
export function withoutRandom(text: string): string {
  return text.replaceAll(/[\w-]{20,}/g, '');
}

/** Expects a page of the service and no redirect. */
export function expectPage(answer: Answer, status: number): void {
  expect([answer.status, answer.location, answer.headers.get('Content-Type')]).toEqual([
    status,
    null,
    'text/html; charset=utf-8',
  ]);
  expect(withoutRandom(answer.text)).not.toMatch(/evil|http-equiv|node_modules|\bat \w+ \(/);
}
