import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../processes/free-port.js';
import { rememberedPorts, rememberPorts } from './local-ports.js';
import { MarketFolder } from './market-folder.js';

let folder: MarketFolder;

beforeEach(() => (folder = new MarketFolder(mkdtempSync(join(tmpdir(), 'tasktree-ports-')))));
afterEach(() => rmSync(folder.path, { recursive: true }));

it('gives the ports of the last start, also after the market was cleared', async () => {
  const ports = { chain: await freePort(), health: await freePort() };
  rememberPorts(folder, ports);
  folder.clear();
  expect(await rememberedPorts(folder)).toEqual(ports);
});

it('leaves out a port that another program uses now', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  const health = await freePort();
  rememberPorts(folder, { chain: taken, health });
  expect(await rememberedPorts(folder)).toEqual({ chain: null, health });
  await new Promise((resolve) => server.close(resolve));
});

it.each(['', 'null', '[]', '{', '{"chain":"3000","health":-1}', '{"chain":80,"health":70000}'])(
  'takes none from a file that holds %j',
  async (text) => {
    writeFileSync(folder.ports, text);
    expect(await rememberedPorts(folder)).toEqual({ chain: null, health: null });
  },
);
