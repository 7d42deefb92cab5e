import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fetch, timeLimit } from '#libs/sdk';
import { CliError, EXIT } from '../output/cli-error.js';
import type { Tokens } from '../profile/profile-file.js';
import { tokensOf } from './access-token.js';
import { type AuthorizationServer, postForm } from './authorization-server.js';

const PATH = '/callback';
/** A person reads, and may first have to make a wallet. */
const PATIENCE_MS = 15 * 60_000;

/** What a sign-in needs. */
export interface SignIn {
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly server: AuthorizationServer;
  readonly clientId: string;
  /** The market: what the tokens are for (RFC 8707). */
  readonly resource: string;
  readonly scopes: readonly string[];
  /** Is told of the address that the person opens. */
  readonly show: (url: string) => void;
}

/**
 * Has the person sign in in a browser, and waits for it on a port of this machine: authorization code with PKCE (RFC 8252,
 * RFC 7636). Throws CliError where the person or the server refuses, and what the signal was aborted with.
 */
export async function signInByBrowser(by: SignIn): Promise<Tokens> {
  by.signal.throwIfAborted();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(32).toString('base64url');
  const limit = timeLimit(PATIENCE_MS);
  try {
    const answer = callback(server, state, AbortSignal.any([by.signal, limit]));
    by.show(authorizationUrl(by, { redirectUri, verifier, state }));
    const code = codeOf(await answer, by.server.issuer);
    const granted = await postForm(by.fetch, by.server.token_endpoint, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: by.clientId,
      resource: by.resource,
    });
    return tokensOf(granted, by.now());
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function authorizationUrl(
  { server, clientId, resource, scopes }: SignIn,
  { redirectUri, verifier, state }: Record<'redirectUri' | 'verifier' | 'state', string>,
): string {
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The first answer that has the state; whoever else asks this port learns and ends nothing. */
function callback(server: Server, state: string, signal: AbortSignal): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    server.on('request', ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      if (pathname !== PATH || !isSame(searchParams.get('state') ?? '', state))
        return page(response, 404, 'Not found.');
      const isGranted = searchParams.has('code');
      page(response, 200, isGranted ? 'You are signed in.' : 'Nothing was allowed.');
      resolve(searchParams);
    });
  });
}

function codeOf(answer: URLSearchParams, issuer: string): string {
  const code = answer.get('code');
  // Another server must not have its code redeemed here (RFC 9207).
  if (code !== null && [null, issuer].includes(answer.get('iss'))) return code;
  throw new CliError({
    exit: answer.get('error') === 'access_denied' ? EXIT.declined : EXIT.auth,
    what: 'Nothing was allowed.',
    why: answer.get('error_description') ?? undefined,
    advice: 'tasktree login',
    code: answer.get('error') ?? 'sign_in_failed',
  });
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Nothing of the request is in the page. */
function page(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      Connection: 'close',
    })
    .end(
      `<!doctype html><html lang="en"><title>Tasktree</title><p>${text} You can close this page and go back to the terminal.`,
    );
}
