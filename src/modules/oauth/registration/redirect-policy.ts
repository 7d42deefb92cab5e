import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { isSameLoopback, readRedirectUri } from './redirect-uri.js';

/** The members of an application that decide about redirects. */
interface RedirectingClient {
  readonly clientId: string;
  readonly redirectUris?: readonly string[] | undefined;
  readonly applicationType?: string | undefined;
  readonly tokenEndpointAuthMethod?: string | undefined;
  /** `self` for an application that registered itself. */
  readonly registered_by?: unknown;
}

const MAX_REDIRECT_URIS = 10;

/**
 * Decides where applications may redirect people. An application that registers itself may only redirect to the hosts
 * of OAUTH_REDIRECT_HOSTS and to the person's own machine, because redirects to any host would help phishing.
 */
@Injectable()
export class RedirectPolicy {
  private readonly hosts: ReadonlySet<string>;

  constructor({ oauthRedirectHosts }: Environment) {
    this.hosts = new Set(oauthRedirectHosts);
  }

  /**
   * The fault of a list of redirect URIs; null when there is none. The text repeats nothing of the input.
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
   * True when the application may redirect people to `uri` now. The URI must be registered; for public and native
   * applications the port of a loopback URI may differ. For an application that registered itself, the policy must
   * still permit the URI.
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

/** The fault of redirect URIs by the rules for all applications; null when there is none. */
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

/** `native` when all URIs lead to the person's own machine, otherwise `web`; the application's own claim is ignored. */
export function applicationTypeOf(uris: readonly string[]): 'native' | 'web' {
  const isNative = uris.length > 0 && uris.every((uri) => readRedirectUri(uri)?.isLoopback === true);
  return isNative ? 'native' : 'web';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
