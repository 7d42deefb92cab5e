import { createServer } from 'node:http';
import { once } from 'node:events';

/** The value that the market of tomorrow has for every enumeration. */
export const TOMORROW = 'not_known_today';

/** Open enumerations of answers, and the codes of errors. */
const OPEN = new Set(['status', 'kind', 'state', 'selection_mode', 'tier', 'currency', 'code']);

/** A market in front of the market: what it answers has values and members that no client of today knows. */
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

/** What a wallet signs is not an enumeration and stays as it is. */
function aged(value, name) {
  if (name === 'payload') return value;
  if (Array.isArray(value)) return value.map((element) => aged(element));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [key, aged(member, key)]);
    return Object.fromEntries([...members, [TOMORROW, { of: ['tomorrow'] }]]);
  }
  return OPEN.has(name) ? TOMORROW : value;
}
