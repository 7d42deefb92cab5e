import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checksumOf } from '#libs/prepared-action';
import { readDeployment } from './read-deployment.js';

const address = (digits: string) => checksumOf(`0x${digits.repeat(20)}`);
const TOLD = {
  chain_id: 8453,
  escrow_factory_address: address('c1'),
  escrow_implementation_address: address('d2'),
  usdc_address: address('e3'),
  usdc_domain: { name: 'USD Coin', version: '2' },
  max_action_seconds: 900,
  signing_origin: 'https://market.example',
};

const readOf = (told: unknown) =>
  readDeployment('https://market.example/', { fetch: () => Promise.resolve(Response.json(told)) });

it('reads chain and contracts', async () => {
  await expect(readOf(TOLD)).resolves.toEqual({
    chainId: 8453,
    factory: address('c1'),
    implementation: address('d2'),
    usdc: address('e3'),
    usdcName: 'USD Coin',
    usdcVersion: '2',
    maxActionSeconds: 900,
    signingOrigin: 'https://market.example',
  });
});

it.each<[string, object]>([
  ['an address with a wrong checksum', { usdc_address: address('e3').replace('e', 'E').replace('E3E', 'E3e') }],
  ['no domain of USDC', { usdc_domain: undefined }],
  ['a version of USDC that is no text', { usdc_domain: { name: 'USD Coin', version: 2 } }],
  ['no signing origin', { signing_origin: undefined }],
  ['no chain', { chain_id: undefined }],
])('%s is no deployment', async (_what, changed) => {
  await expect(readOf({ ...TOLD, ...changed })).rejects.toThrow(TypeError);
});

it('ends in time, also where nobody answers or the answer never ends', async () => {
  const silent = createServer((request, response) => {
    if (request.url?.startsWith('/slow') === true) response.write('{');
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  for (const path of ['', '/slow']) {
    const read = readDeployment(`${url}${path}`, { timeoutMs: 50 });
    await expect(read).rejects.toMatchObject({ name: 'TimeoutError' });
  }
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});
