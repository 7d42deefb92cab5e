import { createServer } from 'node:http';
import { once } from 'node:events';

/** The value that the proxy puts in place of every open enumeration. */
export const TOMORROW = 'not_known_today';

/** Names of members that are open enumerations of answers, or codes of errors. */
const OPEN = new Set(['status', 'kind', 'state', 'selection_mode', 'tier', 'currency', 'code']);

/** Starts a proxy in front of the market. It adds values and members to the answers that no existing client knows. */
export async function startTomorrow(baseUrl) {
  const server = createServer((request, response) => {
    relay(baseUrl, request, response).catch((error) => response.writeHead(502).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function relay(baseUrl, request, response) {
  const chunks = await request.toArray();
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const answer = await fetch(`${baseUrl}${request.url}`, {
    method: request.method,
    headers,
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  const body = JSON.stringify(aged(await answer.json()));
  response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(body);
}

/** Changes the enumerations in a value, except in payloads, because wallets sign those. */
function aged(value, name) {
  if (name === 'payload') return value;
  if (Array.isArray(value)) return value.map((element) => aged(element));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [key, aged(member, key)]);
    return Object.fromEntries([...members, [TOMORROW, { of: ['tomorrow'] }]]);
  }
  return OPEN.has(name) ? TOMORROW : value;
}
