import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { BenchMarket } from '../bench-market.js';
import type { LoadRequests } from '../load-order.js';
import { compare, type Comparison, repeated, type Side } from '../measure.js';
import { ConnectedApp } from './oauth-rows.js';

const CONNECTIONS = 32;
/** Fewer than the service's connections to Postgres, because every token exchange is a transaction. */
const TOKEN_CONNECTIONS = 8;
const PATH = '/v1/tasks?limit=20';

interface Settings {
  seconds: number;
  rounds: number;
}

/**
 * Compares an access token with an API key: the same page by either, and an exchange for a new token beside a page by a
 * key.
 */
export async function compareCredentials(market: BenchMarket, settings: Settings): Promise<Comparison[]> {
  const app = await ConnectedApp.connect(market);
  const key: Side = side(market, 'X-Api-Key', repeated(call(market, `X-Api-Key: ${market.caller.keys.read}`)));
  const bearer = side(
    market,
    'Authorization: Bearer',
    repeated(call(market, `Authorization: Bearer ${await app.accessToken()}`)),
  );
  const dpop = side(market, 'Authorization: DPoP, a new ES256 proof each', await provenCalls(market, app));
  const refresh = side(market, 'POST /oauth/token, a refresh token each', async () => ({
    kind: 'refresh',
    host: new URL(market.file.base_url).host,
    path: '/oauth/token',
    clientId: app.clientId,
    tokens: await app.refreshTokens(TOKEN_CONNECTIONS),
  }));
  const load = { connections: CONNECTIONS, ...settings };
  return [
    await compare(`GET ${PATH}: a bearer token against an API key`, [bearer, key], load),
    await compare(`GET ${PATH}: a token with proofs of its key against an API key`, [dpop, key], load),
    await compare(`A refresh against GET ${PATH} by an API key`, [refresh, key], {
      ...load,
      connections: TOKEN_CONNECTIONS,
    }),
  ];
}

function side({ file, servicePid }: BenchMarket, name: string, requests: Side['requests']): Side {
  return { name, port: Number(new URL(file.base_url).port), pid: servicePid, requests };
}

function call({ file }: BenchMarket, credentials: string): string {
  return `GET ${PATH} HTTP/1.1\r\nHost: ${new URL(file.base_url).host}\r\n${credentials}\r\n\r\n`;
}

/** Requests with one bound token, whose proofs the load process signs while it runs. */
async function provenCalls({ file }: BenchMarket, app: ConnectedApp): Promise<LoadRequests> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    kind: 'proven',
    host: new URL(file.base_url).host,
    path: PATH,
    url: `${file.base_url}${PATH.split('?', 1)[0] ?? ''}`,
    token: await app.accessToken(await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }))),
    key: privateKey.export({ format: 'jwk' }),
  };
}
