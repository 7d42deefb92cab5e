import { type Fetch, MarketUnreachable } from '#libs/sdk';
import { CliError, EXIT } from '../output/cli-error.js';

/** What this program must know of the authorization server of a market (RFC 8414, RFC 9728). */
export interface AuthorizationServer {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  revocation_endpoint?: string | undefined;
}

const ANSWER_MS = 20_000;

/** Finds it from the address of the market. Throws CliError, MarketUnreachable. */
export async function authorizationServerOf(fetch: Fetch, marketUrl: string): Promise<AuthorizationServer> {
  const about = await documentOf(fetch, wellKnown(marketUrl, 'oauth-protected-resource'));
  const [issuer] = Array.isArray(about['authorization_servers']) ? (about['authorization_servers'] as unknown[]) : [];
  if (typeof issuer !== 'string' || about['resource'] !== marketUrl) {
    throw unusable('The market does not say where one signs in.');
  }
  const server = await documentOf(fetch, wellKnown(issuer, 'oauth-authorization-server'));
  // A server that names another one would be handed what is meant for that one (RFC 8414, section 3.3).
  if (server['issuer'] !== issuer) throw unusable('The authorization server names another one as itself.');
  const revocation = server['revocation_endpoint'];
  return {
    issuer,
    authorization_endpoint: endpoint(server, 'authorization_endpoint', marketUrl),
    token_endpoint: endpoint(server, 'token_endpoint', marketUrl),
    registration_endpoint: endpoint(server, 'registration_endpoint', marketUrl),
    revocation_endpoint: revocation === undefined ? undefined : endpoint(server, 'revocation_endpoint', marketUrl),
  };
}

/**
 * Posts a form, and answers with the members of the answer. Throws CliError with what the server says, and MarketUnreachable
 * where nobody has answered.
 */
export async function postForm(
  fetch: Fetch,
  url: string,
  members: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };
  return answerOf(await sent(fetch, url, { method: 'POST', headers, body: new URLSearchParams(members).toString() }));
}

/** Registers this program (RFC 7591). Resolves to the id of the client. */
export async function registerClient(fetch: Fetch, server: AuthorizationServer): Promise<string> {
  const body = JSON.stringify({
    client_name: 'Tasktree command line',
    application_type: 'native',
    // Of a native client any port will do (RFC 8252).
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const answer = answerOf(await sent(fetch, server.registration_endpoint, { method: 'POST', headers, body }));
  const id = answer['client_id'];
  if (typeof id === 'string') return id;
  throw unusable('The registration of this program has no client_id.');
}

/**
 * False: the server knows this client no more; it deletes one that nobody has given access for a day. An authorization page
 * would say so to the person alone, and this program would wait. A server that does not say is taken to know it.
 */
export async function isRegistered(fetch: Fetch, server: AuthorizationServer, clientId: string): Promise<boolean> {
  if (server.revocation_endpoint === undefined) return true;
  // No token is called so: nothing is revoked (RFC 7009, section 2.2).
  const asked = postForm(fetch, server.revocation_endpoint, { token: 'none', client_id: clientId });
  return asked.then(
    () => true,
    (error: unknown) => !(error instanceof CliError && error.fault.code === 'invalid_client'),
  );
}

/** Once more where nobody has answered: for what the server takes twice. */
export async function askedAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof MarketUnreachable) return ask();
    throw error;
  }
}

/** RFC 8414, section 3.1: before the path, not behind it. */
export function wellKnown(address: string, name: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`;
}

function documentOf(fetch: Fetch, url: string): Promise<Record<string, unknown>> {
  return askedAgain(async () => answerOf(await sent(fetch, url, { headers: { Accept: 'application/json' } })));
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

async function sent(fetch: Fetch, url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    return { response, text: await response.text() };
  } catch (error) {
    throw new MarketUnreachable(1, error);
  }
}

function answerOf({ response, text }: Answer): Record<string, unknown> {
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    value = {};
  }
  const body = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (response.ok) return body;
  const { error, error_description: why } = body;
  const { status } = response;
  throw new CliError({
    exit: status === 429 ? EXIT.rateLimited : status >= 500 ? EXIT.failed : EXIT.auth,
    what: `The authorization server has refused (${status}).`,
    why: typeof why === 'string' ? why : undefined,
    advice: 'tasktree doctor shows whether the market can be reached and signed in to',
    code: typeof error === 'string' ? error : `http_${status}`,
  });
}

/** Codes and tokens go only to the market itself. */
function endpoint(server: Record<string, unknown>, name: string, marketUrl: string): string {
  const url = server[name];
  if (typeof url === 'string' && new URL(url).origin === new URL(marketUrl).origin) return url;
  throw unusable(`The authorization server has no ${name} at this market.`);
}

function unusable(why: string): CliError {
  return new CliError({
    exit: EXIT.failed,
    what: 'One cannot sign in to this market from here.',
    why,
    advice: 'Use API keys: tasktree login --with-key',
    code: 'sign_in_unavailable',
  });
}
