import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { BenchMarket } from './bench-market.js';
import { compare, type Comparison, type Side } from './measure.js';
import { ConnectedApp } from './oauth-rows.js';

const CONNECTIONS = 32;
/** Fewer than the service's connections to Postgres: every exchange is a transaction. */
const TOKEN_CONNECTIONS = 8;
const PATH = '/v1/tasks?limit=20';
/** More than any machine answers in a second, so that no load runs out of what is good only once. */
const PROOFS_PER_SECOND = 6_000;
const REFRESHES_PER_SECOND = 1_500;

interface Settings {
  seconds: number;
  rounds: number;
}

/** What a token costs beside an API key: the same page by either, and a new token beside one page by a key. */
export async function compareCredentials(market: BenchMarket, settings: Settings): Promise<Comparison[]> {
  const app = await ConnectedApp.connect(market);
  const key: Side = side(market, 'X-Api-Key', [call(market, `X-Api-Key: ${market.caller.keys.read}`)]);
  const bearer = side(market, 'Authorization: Bearer', [
    call(market, `Authorization: Bearer ${await app.accessToken()}`),
  ]);
  const dpop = side(market, 'Authorization: DPoP, a new ES256 proof each', await provenCalls(market, app));
  const refresh = side(market, 'POST /oauth/token, a refresh token each', async (seconds) =>
    (await app.refreshTokens(seconds * REFRESHES_PER_SECOND)).map((token) => refreshCall(market, app.clientId, token)),
  );
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

function refreshCall({ file }: BenchMarket, clientId: string, token: string): string {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: clientId });
  const { host } = new URL(file.base_url);
  const head = `Host: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.toString().length}`;
  return `POST /oauth/token HTTP/1.1\r\n${head}\r\n\r\n${body.toString()}`;
}

/** Calls with one bound token; the proofs are signed before the load begins, so that it costs the other side nothing. */
async function provenCalls(market: BenchMarket, app: ConnectedApp): Promise<Side['requests']> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk: JWK = await exportJWK(publicKey);
  const token = await app.accessToken(await calculateJwkThumbprint(jwk));
  const ath = createHash('sha256').update(token).digest('base64url');
  const htu = `${market.file.base_url}${PATH.split('?', 1)[0] ?? ''}`;
  const head = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk });
  const proof = (): string => {
    const payload = encoded({ htm: 'GET', htu, ath, iat: Math.floor(Date.now() / 1000), jti: randomUUID() });
    const signed = `${head}.${payload}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };
  return async (seconds) =>
    Array.from({ length: seconds * PROOFS_PER_SECOND }, () =>
      call(market, `Authorization: DPoP ${token}\r\nDPoP: ${proof()}`),
    );
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
