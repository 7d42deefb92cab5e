import { readFileSync } from 'node:fs';
import type { LocalAccount, LocalFile } from '../../src/dev/market-folder/local-file.js';
import type { Scope } from '../../src/modules/credentials/scope.js';

/** The market that runs for the e2e specs (market.setup.mjs), or the one whose `local.json` is given. */
export function localMarket(path = process.env.TEST_MARKET_FILE): LocalFile {
  if (!path) throw new Error('TEST_MARKET_FILE is set by test/support/market.setup.mjs');
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The market's account with this name. @throws when there is none. */
export function account(name: string, market: LocalFile = localMarket()): LocalAccount {
  const found = market.accounts.find((one) => one.name === name);
  if (!found) throw new Error(`The market has no account called ${name}`);
  return found;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when it is not JSON. */
  body: any;
}

export interface ApiRequest {
  method?: string;
  /** The API key. */
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

/**
 * Calls the market with one of the account's keys: `const read = api(account('Ada'), 'read'); await read('/v1/tasks')`.
 */
export function api(who: LocalAccount, scope: Scope, market: LocalFile = localMarket()) {
  return (path: string, request: ApiRequest = {}): Promise<ApiAnswer> =>
    callApi(`${market.base_url}${path}`, { key: who.keys[scope], ...request });
}

/** Calls a service, by POST when there is a body and no method is given. */
export async function callApi(
  url: string,
  { method, key, headers, body }: ApiRequest,
  init: RequestInit = {},
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === undefined ? {} : { 'X-Api-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...init,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
