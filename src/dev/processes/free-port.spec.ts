import { createServer, type Server } from 'node:net';
import { apiPort } from './free-port.js';

let taken: Server;
let port: number;

beforeEach(async () => {
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  ({ port } = taken.address() as { port: number });
});

afterEach(() => new Promise((resolve) => taken.close(resolve)));

it('gives any free port when none is asked for, a different one each time', async () => {
  const ports = await Promise.all([apiPort(0), apiPort(0), apiPort(0)]);
  expect(new Set(ports.map(({ port: given }) => given)).size).toBe(3);
  for (const { port: given, note } of ports) expect([given > 1023, given === port, note]).toEqual([true, false, '']);
});

it('gives the port that is asked for, and names the program that uses it when it is taken', async () => {
  await expect(apiPort(port)).rejects.toThrow(`Port ${port} is used by`);
  await new Promise((resolve) => taken.close(resolve));
  expect(await apiPort(port)).toEqual({ port, note: '' });
  taken = createServer().listen(0, '127.0.0.1');
});
