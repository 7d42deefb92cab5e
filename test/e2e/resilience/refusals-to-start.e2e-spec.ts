import { keccak256 } from 'ethers';
import { deployedCode, deploymentPlan } from '../../../libs/contracts/src/index.js';
import { loadEnvironment } from '../../../src/platform/config/load-environment.js';
import { startServer } from '../../../src/server.js';
import { createDatabase, createMigratedDatabase } from '../../support/database.js';
import { ChainMarket } from '../../support/chain-market.js';
import { ResilienceStack } from '../../support/resilience/resilience-stack.js';
import { ServiceProcess } from '../../support/resilience/service-process.js';

let stack: ResilienceStack;

beforeAll(async () => {
  stack = await ResilienceStack.start();
  // The first process binds the database to its chain.
  const first = await stack.service();
  await first.stop('SIGTERM');
});

afterAll(() => stack?.stop());
afterEach(() => {
  stack.rpc.mode = 'pass';
  stack.database.pass();
});

/**
 * Expects one sentence on standard error, without stack or secret, and an exit code that a supervisor notices.
 * @returns all that the process has printed.
 */
async function expectExit(variables: Record<string, string>, sentence: RegExp): Promise<string> {
  const { code, output } = await ServiceProcess.refused(stack.variables({ LOG_LEVEL: 'silent', ...variables }));
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^\s+at |management_url|:password@/m);
  expect(code).toBe(1);
  return output;
}

/**
 * Expects the sentence of a start in this process, which loads the service once for all of them. What a process makes of
 * a sentence, whatever it is, `expectExit` sees.
 */
async function expectRefusal(variables: Record<string, string>, sentence: RegExp): Promise<void> {
  const environment = loadEnvironment(stack.variables({ LOG_LEVEL: 'silent', ...variables }));
  const started = await startServer(environment).then(
    (server) => server.close().then(() => 'It started.'),
    ({ message }: Error) => message,
  );
  expect(started).toMatch(sentence);
  expect(started).not.toMatch(/^\s+at |:password@/m);
}

/** Runs `work` while the chain has other code at the address. */
async function withCode(address: string, code: string, work: () => Promise<void>): Promise<void> {
  const { anvil } = stack.chain;
  const before = await anvil.rpc<string>('eth_getCode', address, 'latest');
  await anvil.rpc('anvil_setCode', address, code);
  try {
    await work();
  } finally {
    await anvil.rpc('anvil_setCode', address, before);
  }
}

describe('the service refuses to start, with a sentence, when', () => {
  it('the chain has another id', async () => {
    await expectExit({ CHAIN_ID: '8453' }, /RPC_URL serves chain 31337.*CHAIN_ID is 8453/);
  });

  it('there is no contract at the address of the factory', () =>
    expectRefusal({ ESCROW_FACTORY_ADDRESS: `0x${'12'.repeat(20)}` }, /no contract at ESCROW_FACTORY_ADDRESS/));

  it('the contract there is another one', () =>
    expectRefusal({ ESCROW_FACTORY_ADDRESS: stack.chain.usdc }, /is not an escrow factory/));

  it('the implementation has the interface of the escrow and other code', async () => {
    const { factory, implementation, usdc } = stack.chain;
    // The escrow of another factory: every view answers as the real one does.
    const hostile = deployedCode({ factory: `0x${'66'.repeat(20)}`, implementation, token: usdc }).implementation;
    await withCode(implementation, hostile, () =>
      expectRefusal({}, new RegExp(`The escrow ${implementation} behind ESCROW_FACTORY_ADDRESS is not the one`)),
    );
    expect(await stack.chain.anvil.rpc('eth_getCode', factory, 'latest')).toBe(deploymentPlan(usdc).code.factory);
  });

  it('the factory makes clones of another contract than the escrow of this release', async () => {
    const { factory, implementation, usdc } = stack.chain;
    const elsewhere = `0x${'67'.repeat(20)}`;
    const addresses = { factory, implementation: elsewhere, token: usdc };
    const hostile = deployedCode({ ...addresses, implementation }).implementation;
    await withCode(elsewhere, hostile, () =>
      withCode(factory, deployedCode(addresses).factory, () =>
        expectRefusal({}, /The escrow 0x(?:67){20} behind ESCROW_FACTORY_ADDRESS is not the one/),
      ),
    );
  });

  it('the factory has the interface of the real one and other code', async () => {
    const { factory, usdc } = stack.chain;
    const { code } = deploymentPlan(usdc);
    // What follows the last byte of the program is never run.
    await withCode(factory, `${code.factory}00`, () => expectRefusal({}, /is not an escrow factory of the version/));
  });

  it('the token is not the one whose code is pinned', async () => {
    const { usdc } = stack.chain;
    const refusal = new RegExp(`The code of the token ${usdc} is not the one that USDC_CODE_HASH names`);
    await expectRefusal({ USDC_CODE_HASH: `0x${'ab'.repeat(32)}` }, refusal);
    const code = await stack.chain.anvil.rpc<string>('eth_getCode', usdc, 'latest');
    const pinned = await stack.service({ USDC_CODE_HASH: keccak256(code).toUpperCase().replace('X', 'x') });
    expect(await pinned.health('ready')).toBe(200);
    await pinned.stop();
    await withCode(usdc, `${code}00`, () => expectRefusal({ USDC_CODE_HASH: keccak256(code) }, refusal));
  });

  it.each([
    ['cannot be reached', 'refuse'],
    ['is silent', 'hang'],
  ] as const)('the chain %s, and the database has never seen it', async (_, mode) => {
    const { url, dataSource } = await createMigratedDatabase();
    await dataSource.destroy();
    stack.rpc.mode = mode;
    await expectRefusal({ DATABASE_URL: url }, /The chain at RPC_URL cannot be asked/);
  });

  it('the chain cannot be reached, and the database knows another chain or factory than is configured', async () => {
    stack.rpc.mode = 'refuse';
    const another: Record<string, string>[] = [
      { CHAIN_ID: '8453' },
      { ESCROW_FACTORY_ADDRESS: `0x${'12'.repeat(20)}` },
    ];
    for (const variables of another) await expectRefusal(variables, /The chain at RPC_URL cannot be asked/);
  });

  it('the database cannot be reached', async () => {
    stack.database.refuse();
    await expectExit(
      {},
      /The service does not start: The database at DATABASE_URL cannot be reached \((?:ECONN|connect|Connection)/,
    );
  });

  it('the database refuses the password, or there is none of that name', async () => {
    const { DATABASE_URL: own = '' } = stack.variables({});
    const stranger = new URL(own);
    stranger.username = 'somebody';
    stranger.password = 'who-is-not-known';
    const other = new URL(own);
    other.pathname = '/no_such_database';
    const sentence = /The service does not start: The database at DATABASE_URL cannot be reached/;
    for (const { href } of [stranger, other]) {
      expect(await expectExit({ DATABASE_URL: href }, sentence)).not.toMatch(/somebody|who-is-not-known/);
    }
  });

  it('the database is silent', async () => {
    stack.database.hang();
    await expectExit(
      {},
      /The service does not start: The database at DATABASE_URL cannot be reached \(.*(?:timeout|Connection)/i,
    );
  });

  it('migrations are pending', async () => {
    await expectRefusal({ DATABASE_URL: await createDatabase() }, /lacks migrations.*npm run migrate/);
  });

  it('a port is taken', async () => {
    const running = await stack.service();
    const { port } = new URL(running.url);
    await expectExit({ PORT: port }, new RegExp(`The service does not start: .*EADDRINUSE.*${port}`));
    await expectExit(
      { MANAGEMENT_PORT: new URL(running.managementUrl).port },
      /The service does not start: .*EADDRINUSE/,
    );
    expect(await running.health('ready')).toBe(200);
    await running.stop();
  });

  it('the database belongs to another chain with the same id', async () => {
    const other = await ChainMarket.start(['--timestamp', '1700000000']);
    try {
      // The same accounts and nonces give the same addresses, so only the first block tells the two chains apart.
      expect(other.factory).toBe(stack.chain.factory);
      await expectRefusal({ RPC_URL: other.anvil.url }, /holds the index of another chain/);
    } finally {
      await other.stop();
    }
  });

  it('the database belongs to another factory of the same chain', async () => {
    const { factory: ESCROW_FACTORY_ADDRESS } = await stack.chain.deployEscrow(await stack.chain.deployUsdc());
    await expectRefusal({ ESCROW_FACTORY_ADDRESS }, /holds the index of the factory 0x/);
  });
});

describe('with MIGRATE_ON_START', () => {
  it('an empty database is made whole, also by two processes that start at the same time', async () => {
    const DATABASE_URL = await createDatabase();
    const own = { DATABASE_URL, MIGRATE_ON_START: 'true' };
    const pair = await Promise.allSettled([stack.service(own), stack.service(own)]);
    expect(pair.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});
