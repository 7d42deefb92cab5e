import { CliError, EXIT } from '../output/cli-error.js';
import type { ProfileFile, Tokens } from '../profile/profile-file.js';
import type { Fetch } from '#libs/sdk';
import { askedAgain, authorizationServerOf, postForm } from './authorization-server.js';

/** A token that ends while a request is on its way is no use. */
const MARGIN_MS = 30_000;

interface Clock {
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The access token of the profile, a new one where it is about to end. Throws CliError where one must sign in again. */
export async function freshAccessToken(file: ProfileFile, host: Clock): Promise<string> {
  const usable = (tokens: Tokens | undefined): string | undefined =>
    tokens !== undefined && tokens.expiresAt - MARGIN_MS > host.now() ? tokens.access : undefined;
  const current = usable(file.read()?.tokens);
  if (current !== undefined) return current;
  return file.alone(async () => {
    // Another process may have been here first.
    const profile = file.read();
    const newest = usable(profile?.tokens);
    if (newest !== undefined) return newest;
    const { refresh } = profile?.tokens ?? {};
    if (profile?.clientId === undefined || refresh === undefined) throw signInAgain();
    const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: profile.clientId };
    const url = profile.tokenEndpoint ?? (await authorizationServerOf(host.fetch, profile.url)).token_endpoint;
    // The service takes the same token again for some seconds, for just this. rule: docs/decisions/oauth.md#refresh-tokens
    const answer = await askedAgain(() => postForm(host.fetch, url, form)).catch((error: unknown) => {
      const isEnd = error instanceof CliError && ['invalid_grant', 'invalid_client'].includes(error.fault.code);
      throw isEnd ? signInAgain() : error;
    });
    const tokens = tokensOf(answer, host.now(), refresh);
    file.write({ ...profile, tokens, tokenEndpoint: url });
    return tokens.access;
  }, host.signal);
}

/** The tokens of an answer (RFC 6749, section 5.1). Throws CliError where there are none. */
export function tokensOf(answer: Record<string, unknown>, nowMs: number, refreshBefore?: string): Tokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer;
  if (typeof access !== 'string' || typeof seconds !== 'number') throw signInAgain();
  return {
    access,
    refresh: typeof refresh === 'string' ? refresh : refreshBefore,
    expiresAt: nowMs + seconds * 1000,
  };
}

function signInAgain(): CliError {
  return new CliError({
    exit: EXIT.auth,
    what: 'The access has ended.',
    advice: 'tasktree login',
    code: 'access_ended',
  });
}
