import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet } from 'ethers';
import type { LocalFile } from '../../../src/dev/market-folder/local-file.js';
import { MarketFolder } from '../../../src/dev/market-folder/market-folder.js';
import { api, localMarket } from '../../support/market.js';
import { ObservedProcess, processesOf } from '../../support/market-process.js';

const MAIN = 'dist/service/local-market.js';
const SERVICE = 'dist/service/main.js';
const DEMO = 'dist/src/dev/demo/demo.main.js';
const LAUNCH = 'src/dev/launch.cjs';
const READY = 'Serving after';

describe('the local market', () => {
  let folder: string;
  let running: ObservedProcess;
  let market: LocalFile;

  const start = (...args: string[]): ObservedProcess => ObservedProcess.node([MAIN, '--data-dir', folder, ...args]);
  const healthy = async (): Promise<boolean> =>
    fetch(`${market.management_url}/health/live`).then(
      ({ status }) => status === 200,
      () => false,
    );

  beforeAll(async () => {
    folder = temporaryFolder();
    running = start();
    await running.says(READY);
    market = localMarket(join(folder, 'local.json'));
  });

  afterAll(async () => {
    await running.stop('SIGTERM');
    new MarketFolder(folder).remove();
  });

  describe('local.json', () => {
    it('may be read by its owner only', () => {
      expect(statSync(join(folder, 'local.json')).mode & 0o777).toBe(0o600);
    });

    it('has exactly the promised members', () => {
      const members = [
        'base_url',
        'management_url',
        'rpc_url',
        'chain_id',
        'usdc_address',
        'escrow_factory_address',
        'database_url',
        'accounts',
        'tasks',
      ];
      expect(Object.keys(market).toSorted()).toEqual(members.toSorted());
      expect(market.chain_id).toBe(31337);
      for (const one of market.accounts) {
        expect(Object.keys(one).toSorted()).toEqual([
          'account_id',
          'agents',
          'keys',
          'name',
          'wallet_address',
          'wallet_private_key',
        ]);
        expect(Object.keys(one.keys).toSorted()).toEqual(['agent-owner', 'buyer', 'read', 'worker']);
        expect(new Wallet(one.wallet_private_key).address).toBe(one.wallet_address);
      }
      for (const task of market.tasks) {
        expect(Object.keys(task).toSorted()).toEqual(['escrow_address', 'id', 'nodes', 'status', 'title']);
        for (const node of task.nodes) expect(Object.keys(node).toSorted()).toEqual(['id', 'state', 'worker_account']);
      }
    });

    it('lists 3 buyers and 9 agents of 4 owners', () => {
      const owners = market.accounts.filter(({ agents }) => agents.length > 0);
      expect(owners).toHaveLength(4);
      expect(owners.flatMap(({ agents }) => agents)).toHaveLength(9);
      expect(market.accounts.filter(({ agents }) => agents.length === 0).map(({ name }) => name)).toEqual([
        'Ada',
        'Bo',
        'Cleo',
        'Iris',
      ]);
    });
  });

  it('gives every account a key of each scope that opens exactly its own routes', async () => {
    for (const one of market.accounts) {
      expect((await api(one, 'read', market)('/v1/tasks?limit=1')).status).toBe(200);
      for (const scope of ['buyer', 'worker', 'agent-owner'] as const) {
        expect((await api(one, scope, market)('/v1/tasks?limit=1')).status).toBe(403);
      }
    }
  });

  it('shows tasks in every status that a task can have', async () => {
    const statuses = new Set<string>();
    for (const one of market.accounts.slice(0, 3)) {
      const { body } = await api(one, 'read', market)('/v1/tasks?limit=100&role=buyer');
      for (const { status } of body.data) statuses.add(status);
    }
    expect([...statuses].toSorted()).toEqual([
      'cancelled',
      'delivered',
      'disputed',
      'draft',
      'expired',
      'funded',
      'funding_pending',
      'open',
      'refunded',
      'rejected',
      'resolved',
      'selected',
    ]);
  });

  it('shows agents in every status that an agent can have', async () => {
    const read = api(market.accounts[0]!, 'read', market);
    const statuses = new Set<string>();
    for (const { id } of market.accounts.flatMap(({ agents }) => agents)) {
      statuses.add((await read(`/v1/agents/${id}`)).body.status);
    }
    expect([...statuses].toSorted()).toEqual(['active', 'inactive', 'retired', 'suspended']);
  });

  it('shows nodes in every state and with every outcome, and a tree of three levels', async () => {
    const states = new Set<string>();
    const outcomes = new Set<string>();
    const parents = new Map<string, string | null>();
    const backings = new Set<string>();
    for (const task of market.tasks.filter(({ nodes }) => nodes.length > 0)) {
      for (const buyer of market.accounts.slice(0, 3)) {
        const { body } = await api(buyer, 'read', market)(`/v1/tasks/${task.id}/nodes?limit=100`);
        for (const node of body.data ?? []) {
          states.add(node.state);
          if (node.outcome) outcomes.add(node.outcome);
          if (node.parent_node_id !== null) backings.add(node.backing);
          parents.set(node.id, node.parent_node_id);
        }
      }
    }
    expect([...states].toSorted()).toEqual(['delivered', 'disputed', 'funded', 'refunded', 'rejected', 'released']);
    expect([...outcomes].toSorted()).toEqual([
      'abandoned',
      'accept_window_lapsed',
      'accepted',
      'agreed',
      'non_delivery',
      'rejection_final',
      'ruled',
      'ruling_lapsed',
    ]);
    expect([...backings].toSorted()).toEqual(['contingent', 'hirer_funded']);
    const depth = (id: string | null | undefined): number => (id ? 1 + depth(parents.get(id)) : 0);
    expect(Math.max(...[...parents.keys()].map(depth))).toBe(3);
  });

  it('shows quotes and deliveries in every status, receipts, and agents of different repute', async () => {
    const quotes = new Set<string>();
    const deliveries = new Set<string>();
    for (const one of market.accounts) {
      const readOwn = api(one, 'read', market);
      for (const { status } of (await readOwn('/v1/quotes?limit=100')).body.data) quotes.add(status);
      for (const { status } of (await readOwn('/v1/deliveries?limit=100')).body.data) deliveries.add(status);
    }
    expect([...quotes].toSorted()).toEqual([
      'accepted',
      'declined',
      'draft',
      'expired',
      'pending_signature',
      'submitted',
      'withdrawn',
    ]);
    expect([...deliveries].toSorted()).toEqual(['available', 'rejected', 'released', 'submitted']);
    const read = api(market.accounts[0]!, 'read', market);
    expect((await read('/v1/receipts')).body.data.length).toBeGreaterThan(0);
    const scores = (await read('/v1/reputation')).body.data.map(({ score }: { score: number }) => score);
    expect(new Set(scores).size).toBeGreaterThan(2);
  });

  it('shows the payer how a delivered text begins, and the whole of it once it is released', async () => {
    const titled = (title: string) => market.tasks.find((task) => task.title === title)!;
    const [ada, bo] = market.accounts.map((one) => api(one, 'read', market));
    const { body: link } = await bo!(`/v1/tasks/${titled('Translate eight blog posts').id}/preview`);
    const preview: any = await (await fetch(link.url, { headers: { Accept: 'application/json' } })).json();
    expect(preview.delivery.artifact.excerpt).toMatch(/^# Huit billets de blog\n/);
    const { id } = titled('Translate a 40-page user guide into German');
    const { body: page } = await ada!(`/v1/deliveries?task_id=${id}`);
    const { body: artifact } = await ada!(`/v1/deliveries/${page.data[0].id}/artifact`);
    expect(await (await fetch(artifact.url)).text()).toMatch(/^# Benutzerhandbuch Etikettendrucker\n/);
  });

  it('refuses a second start in the same folder with a sentence', async () => {
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output).toMatch(/already running in .* \(pid \d+\)/);
    expect(await healthy()).toBe(true);
  });

  it('says who has a port that was asked for', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const other = temporaryFolder();
    const refused = ObservedProcess.node([MAIN, '--data-dir', other], { PORT: String(port) });
    expect(await refused.ended).toBe(1);
    expect(refused.output).toContain(`Port ${port} is used by`);
    expect(processesOf(other)).toEqual([]);
    server.close();
    new MarketFolder(other).remove();
  });

  it('says what to do when its data is damaged', async () => {
    const other = temporaryFolder();
    mkdirSync(join(other, 'postgres'));
    writeFileSync(join(other, 'local.json'), '{');
    const refused = ObservedProcess.node([MAIN, '--data-dir', other]);
    expect(await refused.ended).toBe(1);
    expect(refused.output).toContain('--reset');
    expect(processesOf(other)).toEqual([]);
    new MarketFolder(other).remove();
  });

  it('says which folder cannot be used for its data', async () => {
    const file = join(folder, 'lock.json');
    const refused = ObservedProcess.node([MAIN, '--data-dir', join(file, 'below-a-file')]);
    expect(await refused.ended).toBe(1);
    expect(refused.output).toContain(`${file}/below-a-file`);
    expect(refused.output).toContain('--data-dir');
  });

  it('tells a Node that is too old so in one sentence, before anything else is loaded', async () => {
    const old = join(folder, 'old-node.cjs');
    writeFileSync(
      old,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.17.1' } });",
    );
    const refused = ObservedProcess.node(['-r', old, LAUNCH, MAIN]);
    expect(await refused.ended).toBe(1);
    expect(refused.output).toMatch(/^Node 18\.17\.1 is running, Tasktree needs 20\.19 or newer[^\n]*\n$/);
  });

  it('says that the program is not built when it is not', async () => {
    const refused = ObservedProcess.node([LAUNCH, 'dist/src/missing.js']);
    expect(await refused.ended).toBe(1);
    expect(refused.output).toContain('npm run build');
  });

  it('begins again with an empty market after a first start that was interrupted', async () => {
    const other = temporaryFolder();
    const first = ObservedProcess.node([MAIN, '--data-dir', other]);
    await first.says('Service ');
    expect(await first.stop('SIGINT')).toBe(0);
    expect(processesOf(other)).toEqual([]);
    const second = ObservedProcess.node([MAIN, '--data-dir', other]);
    await second.says(READY);
    expect(second.output).toContain('was interrupted');
    expect(localMarket(join(other, 'local.json')).accounts).toHaveLength(8);
    expect(await second.stop('SIGTERM')).toBe(0);
    new MarketFolder(other).remove();
  });

  it.each([
    ['--help', 0, 'npm start -- --data-dir FOLDER'],
    ['--rest', 2, "Unknown option '--rest'"],
  ])('answers %s with its usage and exit code %d, and starts nothing', async (option, code, sentence) => {
    const deployed: Record<string, string> = { RPC_URL: market.rpc_url };
    for (const variables of [{}, deployed]) {
      const asked = ObservedProcess.node([MAIN, option], variables);
      expect(await asked.ended).toBe(code);
      if (Object.keys(variables).length === 0 || code === 0) expect(asked.output).toContain(sentence);
      expect(asked.output).toContain('npm start -- --');
    }
  });

  it('is not what the service starts by itself: without configuration it says what it needs, and it takes no option', async () => {
    const bare = ObservedProcess.node([SERVICE], {});
    expect(await bare.ended).toBe(1);
    expect(bare.output).toContain('needs DATABASE_URL and RPC_URL and ESCROW_FACTORY_ADDRESS');
    const asked = ObservedProcess.node([SERVICE, '--data-dir', folder], {});
    expect(await asked.ended).toBe(2);
    expect(asked.output).toContain('takes no option');
  });

  it('as a deployed service names what looks like a setting and is none', async () => {
    const { database_url: DATABASE_URL, rpc_url: RPC_URL, escrow_factory_address: ESCROW_FACTORY_ADDRESS } = market;
    const own = { DATABASE_URL, RPC_URL, ESCROW_FACTORY_ADDRESS, CHAIN_ID: '1', APP_SECRET: 'x'.repeat(48) };
    const ports = { PORT: '0', MANAGEMENT_PORT: '0', RATE_LIMIT_X: '47114', APP_SECRETS: '47115' };
    const refused = ObservedProcess.node([MAIN], { ...own, ...ports });
    expect(await refused.ended).toBe(1);
    expect(refused.output).toMatch(/^RATE_LIMIT_X is no setting of Tasktree/m);
    expect(refused.output).toMatch(/^APP_SECRETS is no setting of Tasktree and changes nothing; APP_SECRET is one/m);
    expect(refused.output).not.toMatch(/4711[45]/);
  });

  it.each([
    ['chain', /The chain \(anvil\)/],
    ['database', /The database \(Postgres\)/],
  ])('says that it is the %s when that goes away while it starts', async (_, sentence) => {
    const other = temporaryFolder();
    const first = ObservedProcess.node([MAIN, '--data-dir', other]);
    await first.says('Service ');
    const [chain, database] = ['anvil ', '/postgres '].map((program) => pidOf(other, program));
    process.kill(sentence.source.includes('anvil') ? chain! : database!, 'SIGKILL');
    expect(await first.ended).toBe(1);
    expect(first.output).toMatch(sentence);
    expect(first.output).not.toMatch(/^\s+at /m);
    expect(processesOf(other)).toEqual([]);
    new MarketFolder(other).remove();
  });

  it('refuses half a deployment with a sentence that names what is missing', async () => {
    const refused = ObservedProcess.node([MAIN], { DATABASE_URL: market.database_url });
    expect(await refused.ended).toBe(1);
    expect(refused.output).toMatch(/RPC_URL and ESCROW_FACTORY_ADDRESS/);
  });

  it('as a deployed service refuses a chain that is not the configured one', async () => {
    const refused = ObservedProcess.node([MAIN], {
      DATABASE_URL: market.database_url,
      RPC_URL: market.rpc_url,
      ESCROW_FACTORY_ADDRESS: market.escrow_factory_address,
      APP_SECRET: 'x'.repeat(48),
      BASE_URL: 'http://127.0.0.1:1',
      CHAIN_ID: '8453',
      PORT: '0',
      MANAGEMENT_PORT: '0',
    });
    expect(await refused.ended).toBe(1);
    expect(refused.output).toMatch(/31337/);
    expect(refused.output).toMatch(/8453/);
  });

  it('stops whole at Ctrl-C and keeps everything for the next start', async () => {
    const read = api(market.accounts[0]!, 'read', market);
    const before = (await read('/v1/tasks?limit=100')).body;
    expect(await running.stop('SIGINT')).toBe(0);
    expect(processesOf(folder)).toEqual([]);
    expect(await healthy()).toBe(false);

    running = start();
    await running.says(READY);
    const again = localMarket(join(folder, 'local.json'));
    expect(again.accounts).toEqual(market.accounts);
    expect(again.tasks).toEqual(market.tasks);
    expect([again.rpc_url, again.management_url]).toEqual([market.rpc_url, market.management_url]);
    expect((await api(again.accounts[0]!, 'read', again)('/v1/tasks?limit=100')).body.data).toEqual(before.data);
    market = again;
  });

  it('comes back after its accounts have used up their requests, and names each setting that it does not use', async () => {
    const read = api(market.accounts[0]!, 'read', market);
    const unused = { MANAGEMENT_PORT: '47111', DATABASE_POOL_SIZE: '47112', OAUTH_X: '47113', LOG_LEVEL: 'warn' };
    const usedUp = 'have used up their requests of this minute';
    // A minute that ends while the market restarts gives the accounts their requests back, so there are three tries.
    for (let tries = 0; tries < 3 && !running.output.includes(usedUp); tries += 1) {
      for (let status = 200; status !== 429;) ({ status } = await read('/v1/tasks?limit=1'));
      expect(await running.stop('SIGINT')).toBe(0);
      running = ObservedProcess.node([MAIN, '--data-dir', folder], unused);
      await running.says(READY);
    }
    expect(running.output).toContain(usedUp);
    const notes = running.output.split('\n').filter((line) => /does not use|no setting/.test(line));
    expect(notes.map((line) => line.trim().split(' ')[1])).toEqual([
      'DATABASE_POOL_SIZE',
      'MANAGEMENT_PORT',
      'OAUTH_X',
    ]);
    expect(running.output).not.toMatch(/4711[123]/);
    const again = localMarket(join(folder, 'local.json'));
    expect(again.tasks).toEqual(market.tasks);
    market = again;
  });

  it('comes back again and again', async () => {
    for (let time = 0; time < 3; time += 1) {
      await running.stop('SIGTERM');
      running = start();
      await running.says(READY);
    }
    expect(localMarket(join(folder, 'local.json')).tasks).toEqual(market.tasks);
  });

  it('is played through by the demo, whose books close, and goes on with the time that the demo has moved on', async () => {
    const chainTime = async (): Promise<number> => {
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] };
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(market.rpc_url, { method: 'POST', headers, body: JSON.stringify(call) });
      return Number((await answer.json()).result.timestamp);
    };
    market = localMarket(join(folder, 'local.json'));
    const before = await chainTime();
    const demo = ObservedProcess.node([DEMO, '--ci', '--here', '--data-dir', folder]);
    expect({ code: await demo.ended, output: demo.output }).toMatchObject({ code: 0 });
    expect(demo.output).toContain('story, service and chain agree to the base unit');
    const after = await chainTime();
    expect(after - before).toBeGreaterThan(86_400);

    await running.stop('SIGTERM');
    running = start();
    await running.says(READY);
    market = localMarket(join(folder, 'local.json'));
    expect(await chainTime()).toBeGreaterThanOrEqual(after);
    expect((await api(market.accounts[0]!, 'read', market)('/v1/tasks?limit=1')).status).toBe(200);
  });

  it('keeps the wallets away from the service', () => {
    const service = lockOf(folder).children.at(-1)!.pid;
    const variables = readFileSync(`/proc/${service}/environ`, 'utf8');
    expect(variables).toContain('ESCROW_FACTORY_ADDRESS');
    for (const one of market.accounts) expect(variables).not.toContain(one.wallet_private_key.slice(2));
  });

  it('stops whole, with a sentence, when one of its parts dies', async () => {
    process.kill(lockOf(folder).children.at(-1)!.pid, 'SIGKILL');
    expect(await running.ended).toBe(1);
    expect(running.output).toMatch(/The service stopped by itself/);
    expect(processesOf(folder)).toEqual([]);
  });
});

/** A temporary folder that another user can enter, because Postgres may have to run as another user. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tasktree-market-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Process id of the market's child that runs this program, for the market in this folder. */
function pidOf(folder: string, program: string): number | undefined {
  const runs = ({ pid }: { pid: number }) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(program);
  return lockOf(folder).children.find(runs)?.pid;
}

function lockOf(folder: string): { children: { pid: number }[] } {
  return JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8'));
}
