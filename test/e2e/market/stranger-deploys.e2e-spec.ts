import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ContractFactory, toQuantity } from 'ethers';
import type { Browser } from 'playwright-core';
import {
  checksumAddress,
  CREATE2_DEPLOYER,
  deployedCode,
  localUsdcAbi,
  localUsdcBytecode,
} from '../../../libs/contracts/src/index.js';
import { createMigratedDatabase } from '../../support/database.js';
import { localMarket } from '../../support/market.js';
import { eventually } from '../../support/eventually.js';
import { BROWSER_NOTE, BrowserWindow, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import { ServiceProcess } from '../../support/resilience/service-process.js';
import { Anvil } from '../../support/spec-chain.js';

/*
 * What somebody does who has the repository, a chain and an account, and nobody to ask.
 */

const TOOL = 'libs/contracts/solidity/tools/deploy.mjs';
/** The tool compiles the contracts, which takes minutes on a machine that does much else. */
const COMPILING_MS = 600_000;

interface Outcome {
  code: number;
  output: string;
}

let anvil: Anvil;
let folder: string;
let usdc: string;
let account: string;

const run = (command: string, ...options: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const args = [TOOL, command, '--rpc', anvil.url, ...options];
    execFile(process.execPath, args, { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });

async function send(transaction: Record<string, string>): Promise<Record<string, string>> {
  const hash = await anvil.rpc<string>('eth_sendTransaction', { from: account, ...transaction });
  const receipt = () => anvil.rpc<Record<string, string> | null>('eth_getTransactionReceipt', hash);
  await eventually(async () => (await receipt()) !== null, COMPILING_MS);
  return (await receipt())!;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-deploy-'));
  anvil = await Anvil.start();
  [account] = (await anvil.rpc<string[]>('eth_accounts')) as [string];
  const { data } = await new ContractFactory(localUsdcAbi, localUsdcBytecode).getDeployTransaction(account);
  usdc = (await send({ data, gas: '0xb71b00' }))['contractAddress']!;
});

afterAll(async () => {
  await anvil?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'deploys by one transaction of any account, runs a service on it, and is told of any other code',
  async () => {
    const out = join(folder, 'record.json');
    const batch = join(folder, 'batch.json');
    const before = await run('verify', '--usdc', usdc);
    expect(before).toEqual({ code: 1, output: expect.stringMatching(/is not deployed for this token/) });

    const asked = await run('deploy', '--usdc', usdc, '--json', '--safe', batch);
    const { status, transaction, factory } = JSON.parse(asked.output);
    expect([asked.code, status]).toEqual([0, 'to_send']);
    const { to, data, gas } = transaction;
    expect(JSON.parse(readFileSync(batch, 'utf8'))).toMatchObject({
      chainId: '31337',
      transactions: [{ to, data, value: '0' }],
    });
    const receipt = await send({ to, data, gas: toQuantity(gas) });
    expect(receipt['status']).toBe('0x1');

    const deployed = await run('deploy', '--usdc', usdc, '--json', '--out', out);
    const { settings, ...rest } = JSON.parse(deployed.output);
    expect([deployed.code, rest]).toEqual([0, { status: 'deployed', record: out }]);
    expect(settings.ESCROW_FACTORY_ADDRESS).toBe(factory);
    expect(settings.CHAIN_START_BLOCK).toBe(String(Number(receipt['blockNumber'])));
    const record = JSON.parse(readFileSync(out, 'utf8'));
    expect(record).toMatchObject({ chain_id: 31337, factory, block: Number(receipt['blockNumber']) });
    expect(record.standard_json_input.sources).toHaveProperty(['src/TaskEscrow.sol', 'content']);
    expect(record.storage_layout.storage.map(({ label }: { label: string }) => label)).toContain('_nodes');
    expect(record.typed_data).toHaveProperty('CreateTask');

    const { database_url } = localMarket();
    process.env['TEST_POSTGRES_URL'] ??= database_url.slice(0, database_url.lastIndexOf('/'));
    const { url } = await createMigratedDatabase();
    const service = await ServiceProcess.start({
      ...settings,
      DATABASE_URL: url,
      RPC_URL: anvil.url,
      BASE_URL: 'https://market.example',
      SECURITY_CONTACT: 'mailto:security@market.example',
      APP_SECRET: 'the secret of a stranger, which is long enough',
      PORT: '0',
      MANAGEMENT_PORT: '0',
    });
    expect(await service.health('ready')).toBe(200);
    expect(service.process.output).toContain('"security_contact":"mailto:security@market.example"');
    await service.stop();

    expect(await run('verify', '--usdc', usdc)).toEqual({
      code: 0,
      output: expect.stringContaining(`Byte for byte what the sources compile to: factory ${factory}`),
    });
    const token = usdc;
    const hostile = deployedCode({ factory: account, implementation: record.implementation, token }).implementation;
    await anvil.rpc('anvil_setCode', record.implementation, hostile);
    const after = await run('verify', '--usdc', usdc);
    expect(after).toEqual({
      code: 1,
      output: expect.stringMatching(/The code of the implementation 0x\w+ is not what/),
    });
  },
  COMPILING_MS * 3,
);

it('gives the same addresses on every chain with the same token', async () => {
  const other = await Anvil.start();
  const first = anvil;
  try {
    await other.rpc('anvil_setChainId', 8453);
    await other.rpc('anvil_setCode', usdc, '0x00');
    anvil = other;
    const there = JSON.parse((await run('deploy', '--usdc', usdc, '--json')).output);
    expect(there).toMatchObject({ status: 'to_send', chain_id: 8453 });
    expect(there.factory).toBe(JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8')).factory);
  } finally {
    anvil = first;
    await other.stop();
  }
});

describeWithBrowser(`the page of the tool${BROWSER_NOTE}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it(
    'has a wallet of the browser send the transaction, and the command goes on by itself',
    async () => {
      const chain = await Anvil.start();
      const out = join(folder, 'record-of-page.json');
      await chain.rpc('anvil_setCode', usdc, await anvil.rpc('eth_getCode', usdc, 'latest'));
      const args = [TOOL, 'deploy', '--rpc', chain.url, '--usdc', usdc, '--page', '--json', '--out', out];
      const tool = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      try {
        const [output, errors] = [textOf(tool.stdout), textOf(tool.stderr)];
        await eventually(async () => errors().includes('\n'), COMPILING_MS);
        const [url] = /http:\S+/.exec(errors())!;
        const { origin, pathname } = new URL(url);
        for (const [host, path] of [
          [new URL(url).host, pathname.replace(/[0-9a-f]{4}/, 'zzzz')],
          [new URL(url).host, '/'],
          ['rebound.example', pathname],
        ] as const) {
          expect(await statusOf(origin, path, host)).toBe(404);
        }
        const window = await BrowserWindow.open(browser, url);
        const { page } = window;
        await page.goto(url);
        expect(await page.textContent('dl')).toContain(checksumAddress(usdc));
        await page.getByRole('button', { name: 'Demo Wallet' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Account 1', exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
        await page.getByText('You declined in the wallet.').waitFor();
        const sendsIt = async () => {
          await page.getByRole('button', { name: 'Demo Wallet' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
        };
        const deployer = await chain.rpc('eth_getCode', CREATE2_DEPLOYER, 'latest');
        await chain.rpc('anvil_setCode', CREATE2_DEPLOYER, '0xfe');
        await sendsIt();
        await page.getByText(/The transaction 0x\w+ failed\. Nothing was deployed\./).waitFor();
        await chain.rpc('anvil_setCode', CREATE2_DEPLOYER, deployer);
        await sendsIt();
        await page.getByText('The contracts are on the chain.').waitFor();
        expect(window.wrongs).toEqual([]);
        await window.close();
        const code = await new Promise((resolve) => tool.once('close', resolve));
        expect([code, JSON.parse(output())]).toEqual([0, expect.objectContaining({ status: 'deployed', record: out })]);
      } finally {
        tool.kill('SIGKILL');
        await chain.stop();
      }
    },
    COMPILING_MS,
  );
});

/** Everything that a stream has said so far. */
function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}

/** Status of a request that names another host than it goes to. */
function statusOf(origin: string, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(new URL(path, origin), { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

it.each([
  ['no endpoint', [], 2, '--rpc is missing'],
  ['an endpoint that is no URL', ['--rpc', 'localhost'], 2, '--rpc is an http'],
  ['a token that is no address', ['--rpc', 'http://127.0.0.1:1', '--usdc', '0x12'], 2, '--usdc is an address'],
  ['a private key', ['--rpc', 'http://127.0.0.1:1', '--private-key', '0x12'], 2, 'private-key'],
  ['an endpoint that does not answer', ['--rpc', 'http://127.0.0.1:1'], 1, 'does not answer'],
])('says what is wrong with %s', async (_what, options, code, sentence) => {
  const args = [TOOL, 'deploy', ...options];
  const outcome = await new Promise<Outcome>((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
  expect(outcome).toEqual({ code, output: expect.stringContaining(sentence) });
});

it('needs a token on a chain that it does not know, and one that is there', async () => {
  expect(await run('deploy')).toEqual({ code: 2, output: expect.stringContaining('USDC of chain 31337 is not known') });
  const nobody = `0x${'12'.repeat(20)}`;
  expect(await run('deploy', '--usdc', nobody)).toEqual({
    code: 1,
    output: expect.stringContaining('There is no token at'),
  });
});
