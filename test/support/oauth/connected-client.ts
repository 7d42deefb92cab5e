import { PlainClient, type TokenAnswer } from './oauth-client.js';
import type { OAuthService } from './oauth-service.js';
import type { Consent, Person } from './person.js';

export interface Connection {
  client: PlainClient;
  tokens: { access_token: string; refresh_token: string; scope: string };
  redirect: URL;
}

/** Registers an application, has the person allow it, and redeems the code. */
export async function connect(
  service: OAuthService,
  person: Person,
  {
    scope = 'read',
    consent = {},
    redirectUri = 'http://127.0.0.1/callback',
    name = 'Plain client',
  }: {
    scope?: string;
    consent?: Consent;
    redirectUri?: string;
    name?: string;
  } = {},
): Promise<Connection> {
  const client = await PlainClient.register(service.baseUrl, redirectUri, { client_name: name });
  const asked = client.authorization(scope);
  const redirect = await person.authorize(asked.url, consent);
  const answer = await client.redeem(redirect, asked);
  return { client, redirect, tokens: tokensOf(answer) };
}

/** The tokens of an answer. @throws with the answer when it has none. */
export function tokensOf({ status, body }: TokenAnswer): Connection['tokens'] {
  if (status !== 200) throw new Error(`No tokens: ${status} ${JSON.stringify(body)}`);
  return body;
}
