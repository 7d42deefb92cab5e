import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { limitConnections } from './connection-limit.js';

const sockets: Socket[] = [];
let server: Server;
let refused: number;
let served: number;

async function listen(isProxy: boolean): Promise<void> {
  refused = 0;
  served = 0;
  server = createServer((_request, response) => {
    served += 1;
    response.end('ok');
  });
  const onRefused = () => void (refused += 1);
  limitConnections(server, {
    max: 3,
    isProxy: () => isProxy,
    service: { baseUrl: 'http://127.0.0.1', currentVersion: '2026-11-20' },
    onRefused,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** What a connection from this address is answered to one request. */
async function ask(localAddress: string): Promise<{ socket: Socket; text: string }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [chunk] = await once(socket, 'data');
  return { socket, text: String(chunk) };
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

it('an address over its limit is told so and closed, and others are not', async () => {
  await listen(false);
  const held = [await ask('127.0.0.1'), await ask('127.0.0.1'), await ask('127.0.0.1')];
  expect(held.every(({ text }) => text.startsWith('HTTP/1.1 200'))).toBe(true);
  const { socket, text } = await ask('127.0.0.1');
  expect(text).toMatch(/^HTTP\/1\.1 429 /);
  expect(text).toMatch(/\r\nRetry-After: 1\r\n/);
  expect(text).toMatch(/\r\nX-Limit-Remaining: 0\r\n/);
  if (!socket.closed) await once(socket, 'close');
  expect([refused, served]).toEqual([1, 3]);
  expect((await ask('127.0.0.2')).text).toMatch(/^HTTP\/1\.1 200/);
  held[0]!.socket.destroy();
  while ((await count()) >= 4) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await ask('127.0.0.1')).text).toMatch(/^HTTP\/1\.1 200/);
});

it('a reverse proxy of ours carries everybody', async () => {
  await listen(true);
  for (let i = 0; i < 10; i += 1) expect((await ask('127.0.0.1')).text).toMatch(/^HTTP\/1\.1 200/);
  expect(refused).toBe(0);
});

function count(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, connections) => (error ? reject(error) : resolve(connections)));
  });
}
