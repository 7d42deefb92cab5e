import { createServer, type ServerResponse } from 'node:http';
import { argv, stdout } from 'node:process';
import pg from 'pg';

/**
 * The baseline of `GET /v1/events/stream`: `node:http` and one LISTEN, which passes each notification on to the streams of
 * its account, or to all. It checks no credential, keeps no log and cuts nobody off.
 */
const [databaseUrl] = argv.slice(2);
const streams = new Map<string, Set<ServerResponse>>();

const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
client.on('notification', ({ payload = '' }) => {
  const [, id = '', reader = '', document = ''] = /^(\S+) (\S+) (.*)$/s.exec(payload) ?? [];
  const frame = Buffer.from(`id: ${id}\nevent: agent.updated\ndata: ${document}\n\n`);
  const all = reader === 'public' ? [...streams.values()] : [streams.get(reader) ?? []];
  for (const own of all) for (const response of own) response.write(frame);
});
await client.query('LISTEN bench_events');

const server = createServer((request, response) => {
  const account = String(request.headers['x-account']);
  const own = streams.get(account) ?? new Set();
  streams.set(account, own.add(response));
  response.once('close', () => own.delete(response));
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(':\n\n');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') stdout.write(`${JSON.stringify({ port: address.port })}\n`);
});
