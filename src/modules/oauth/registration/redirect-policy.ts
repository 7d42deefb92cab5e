import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { isSameLoopback, readRedirectUri } from './redirect-uri.js';

/** What an application registered, as far as redirects are concerned. */
interface RedirectingClient {
  readonly clientId: string;
  readonly redirectUris?: readonly string[] | undefined;
  readonly applicationType?: string | undefined;
  readonly tokenEndpointAuthMethod?: string | undefined;
  /** `self` for one that registered itself. */
  readonly registered_by?: unknown;
}

const MAX_REDIRECT_URIS = 10;

/**
 * Where applications may send people. What anybody can register himself may redirect to the hosts of
 * OAUTH_REDIRECT_HOSTS and to the person's own machine only; an open redirect to anywhere is how people are phished.
 */
@Injectable()
export class RedirectPolicy {
  private readonly hosts: ReadonlySet<string>;

  constructor({ oauthRedirectHosts }: Environment) {
    this.hosts = new Set(oauthRedirectHosts);
  }

  /**
   * What is wrong with a list of redirect URIs; null when nothing is. The text echoes nothing that was sent.
   * @param own host of the application's metadata document; null when it has none.
   */
  fault(uris: unknown, own: string | null): string | null {
    const shape = redirectFault(uris);
    if (shape !== null || !isTexts(uris)) return shape;
    if (uris.every((uri) => this.permits(uri, own))) return null;
    return (
      'redirect_uris of an application that registers itself must lead to a loopback address or to a host that the ' +
      'operator of this service permits (setting OAUTH_REDIRECT_HOSTS)'
    );
  }

  /**
   * True when the application may have people sent to `uri` now: it is registered, where `http` to a loopback host may
   * have any port for public and native applications, and an application that registered itself is still permitted.
   */
  allows(client: RedirectingClient, uri: string): boolean {
    const registered = client.redirectUris ?? [];
    const portFree = client.tokenEndpointAuthMethod === 'none' || client.applicationType === 'native';
    const known = registered.includes(uri) || (portFree && registered.some((each) => isSameLoopback(each, uri)));
    return known && (client.registered_by !== 'self' || this.permits(uri, null));
  }

  private permits(uri: string, own: string | null): boolean {
    const target = readRedirectUri(uri);
    return target !== null && (target.isLoopback || target.host === own || this.hosts.has(target.host));
  }
}

/** What is wrong with the redirect URIs of any application, whoever registers it; null when nothing is. */
export function redirectFault(uris: unknown): string | null {
  if (!isTexts(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    return `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} URIs`;
  }
  if (uris.every((uri) => readRedirectUri(uri) !== null)) return null;
  return (
    'redirect_uris must be https, or http to localhost, 127.0.0.1 or [::1], in normal form and without user, fragment ' +
    'or wildcard'
  );
}

/** `native` when all lead to the person's own machine, whatever the application says. */
export function applicationTypeOf(uris: readonly string[]): 'native' | 'web' {
  const isNative = uris.length > 0 && uris.every((uri) => readRedirectUri(uri)?.isLoopback === true);
  return isNative ? 'native' : 'web';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
