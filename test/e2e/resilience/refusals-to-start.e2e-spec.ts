import { createDatabase } from '../../support/database.js';
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

/** Expects one sentence on standard error, without stack or secret, and an exit code that a supervisor notices. */
async function expectRefusal(variables: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, output } = await ServiceProcess.refused(stack.variables({ LOG_LEVEL: 'silent', ...variables }));
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^\s+at |management_url|:password@/m);
  expect(code).toBe(1);
}

describe('the service refuses to start, with a sentence, when', () => {
  it('the chain has another id', () =>
    expectRefusal({ CHAIN_ID: '8453' }, /RPC_URL serves chain 31337.*CHAIN_ID is 8453/));

  it('there is no contract at the address of the factory', () =>
    expectRefusal({ ESCROW_FACTORY_ADDRESS: `0x${'12'.repeat(20)}` }, /no contract at ESCROW_FACTORY_ADDRESS/));

  it('the contract there is another one', () =>
    expectRefusal({ ESCROW_FACTORY_ADDRESS: stack.chain.usdc }, /is not an escrow factory/));

  it('the chain cannot be reached', async () => {
    stack.rpc.mode = 'refuse';
    await expectRefusal({}, /The chain at RPC_URL cannot be asked/);
  });

  it('the chain is silent', async () => {
    stack.rpc.mode = 'hang';
    await expectRefusal({}, /The chain at RPC_URL cannot be asked/);
  });

  it('the database cannot be reached', async () => {
    stack.database.refuse();
    await expectRefusal(
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
      const { code, output } = await ServiceProcess.refused(
        stack.variables({ LOG_LEVEL: 'silent', DATABASE_URL: href }),
      );
      expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
      expect(output).not.toMatch(/somebody|who-is-not-known/);
    }
  });

  it('the database is silent', async () => {
    stack.database.hang();
    await expectRefusal(
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
    await expectRefusal({ PORT: port }, new RegExp(`The service does not start: .*EADDRINUSE.*${port}`));
    await expectRefusal(
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
