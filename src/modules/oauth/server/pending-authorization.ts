import type { Client, Interaction } from 'oidc-provider';
import { oneLine } from '../../../platform/pages/one-line.js';
import type { Scope } from '../../credentials/scope.js';
import { NO_BROWSER_SESSION } from './interaction-policy.js';
import { GRANT_DAYS } from '../protocol/oauth-lifetimes.js';
import { documentHost } from '../registration/client-rules.js';
import { REFERENCE_CLIENT_ID } from '../protocol/reference-client.js';
import { readRedirectUri } from '../registration/redirect-uri.js';
import { permissionsIn } from '../protocol/requested-scopes.js';

/** Who asks. */
interface AskingClient {
  id: string;
  /** What it calls itself: one line of at most 80 visible characters, another party's text. */
  name: string;
  /** Host where its metadata document lies; null = it has none. */
  host: string | null;
  /** True: the operator knows that host, so that the name can be believed. */
  isKnown: boolean;
  /** True: it is a page of this service, which returns to that page alone. */
  isOwn: boolean;
  /** Where the person is sent back to. */
  redirectHost: string;
  /** True: to a program on the person's own computer. */
  redirectsToLoopback: boolean;
}

/** What an application asks for and a person has not answered. */
export interface PendingAuthorization {
  uid: string;
  prompt: 'login' | 'consent';
  /** True: a session of the browser is no answer, the person must sign now. */
  mustSignInAgain: boolean;
  client: AskingClient;
  /** What is asked for; never empty. */
  scopes: Scope[];
  /** The account that is asked; null before it is known. */
  accountId: string | null;
  /** How long consent lasts. */
  grantDays: number;
}

/** Reasons for which a live session of the browser is an answer. */
const ANSWERED_BY_SESSION: ReadonlySet<string> = new Set(['no_session', NO_BROWSER_SESSION]);

/** What the pages are told of an interaction. */
export function pendingAuthorization(
  interaction: Interaction,
  client: Client,
  knownHosts: readonly string[],
): PendingAuthorization {
  const { uid, prompt, params, session } = interaction;
  return {
    uid,
    prompt: prompt.name === 'consent' ? 'consent' : 'login',
    mustSignInAgain: mustSignInAgain(interaction),
    client: askingClient(client, params['redirect_uri'], knownHosts),
    scopes: permissionsIn(params['scope']),
    accountId: session?.accountId ?? null,
    grantDays: GRANT_DAYS,
  };
}

/**
 * The application in words that are safe to show.
 * @param redirectUri of its request. @param knownHosts OAUTH_KNOWN_CLIENT_HOSTS.
 */
export function askingClient(client: Client, redirectUri: unknown, knownHosts: readonly string[] = []): AskingClient {
  const target = typeof redirectUri === 'string' ? readRedirectUri(redirectUri) : null;
  const host = documentHost(client.clientId);
  const name = oneLine(client.clientName ?? '');
  return {
    id: client.clientId,
    name: name === '' ? (host ?? 'An application without a name') : name,
    host,
    isOwn: client.clientId === REFERENCE_CLIENT_ID,
    isKnown: host !== null && knownHosts.includes(host),
    redirectHost: target?.host ?? 'unknown',
    redirectsToLoopback: target?.isLoopback ?? false,
  };
}

/** An application may ask for a fresh proof (`prompt=login`, `max_age`) or for one account (`id_token_hint`). */
function mustSignInAgain({ prompt, params }: Interaction): boolean {
  if (params['max_age'] !== undefined) return true;
  return prompt.name === 'login' && prompt.reasons.some((reason) => !ANSWERED_BY_SESSION.has(reason));
}
