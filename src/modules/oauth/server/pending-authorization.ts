import type { Client, Interaction } from 'oidc-provider';
import { oneLine } from '../../../platform/pages/one-line.js';
import type { Scope } from '../../credentials/scope.js';
import { NO_BROWSER_SESSION } from './interaction-policy.js';
import { GRANT_DAYS } from '../protocol/oauth-lifetimes.js';
import { documentHost } from '../registration/client-rules.js';
import { REFERENCE_CLIENT_ID } from '../protocol/reference-client.js';
import { readRedirectUri } from '../registration/redirect-uri.js';
import { permissionsIn } from '../protocol/requested-scopes.js';

/** The application that requests access. */
interface AskingClient {
  id: string;
  /** Name chosen by the application, one line of at most 80 visible characters. */
  name: string;
  /** Host of the application's metadata document; null = it has none. */
  host: string | null;
  /** True: the operator knows that host, so that the name can be believed. */
  isKnown: boolean;
  /** True: the application is a page of this service, and redirects only to that page. */
  isOwn: boolean;
  /** Host that the person is redirected to. */
  redirectHost: string;
  /** True: the redirect leads to a program on the person's own computer. */
  redirectsToLoopback: boolean;
}

/** A request of an application that the person has not answered yet. */
export interface PendingAuthorization {
  uid: string;
  prompt: 'login' | 'consent';
  /** True: an existing browser session is not enough; the person must sign now. */
  mustSignInAgain: boolean;
  client: AskingClient;
  /** Requested scopes; never empty. */
  scopes: Scope[];
  /** The account that must consent; null before it is known. */
  accountId: string | null;
  /** Lifetime of the consent, in days. */
  grantDays: number;
}

/** Reasons of a sign-in prompt for which a live browser session is enough. */
const ANSWERED_BY_SESSION: ReadonlySet<string> = new Set(['no_session', NO_BROWSER_SESSION]);

/** Converts an interaction of the library to a PendingAuthorization. */
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
 * Describes the application with texts that are safe to show.
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

/**
 * True when a browser session is not enough: an application may require a fresh sign-in (`prompt=login`, `max_age`) or
 * a certain account (`id_token_hint`).
 */
function mustSignInAgain({ prompt, params }: Interaction): boolean {
  if (params['max_age'] !== undefined) return true;
  return prompt.name === 'login' && prompt.reasons.some((reason) => !ANSWERED_BY_SESSION.has(reason));
}
