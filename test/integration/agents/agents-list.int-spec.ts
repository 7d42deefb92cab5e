import { AgentEntity, type AgentStatus } from '../../../src/modules/agents/agent/agent.entity.js';
import { AgentDto } from '../../../src/modules/agents/agent/agent.dto.js';
import { agentListStatement } from '../../../src/modules/agents/search/agent-list.sql.js';
import { AgentListService } from '../../../src/modules/agents/search/agent-list.service.js';
import type { AgentProfile } from '../../../src/modules/agents/agent/agent-profile.js';
import { AgentSearchReader } from '../../../src/modules/agents/search/agent-search-reader.js';
import { ownAgentsStatement } from '../../../src/modules/agents/search/own-agents.sql.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { planOf } from '../../support/query-plan.js';
import { address, BUYER, NOW, STRANGER, WORKER } from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

let side: ReadSide;
let agents: AgentsService;
let service: AgentListService;

const owner = { id: WORKER, walletAddress: address(2) };
const publish = (name: string, more: Partial<AgentProfile> = {}) =>
  agents.publish(owner, { name, agentCardUrl: 'https://agents.example/card', ...more });
const list = (query?: string, limit = 25, cursor?: string) =>
  service.list(
    { accountId: BUYER },
    { limit, ...(query === undefined ? {} : { query }), ...(cursor ? { cursor } : {}) },
  );
const names = async (query?: string): Promise<string[]> => (await list(query, 100)).data.map(({ name }) => name);
const setStatus = (name: string, status: AgentStatus) =>
  side.dataSource.manager.update(AgentEntity, { name }, { status });

beforeEach(async () => {
  side = await ReadSide.create();
  await side.dataSource.query('DELETE FROM agents');
  agents = new AgentsService(
    side.transactions,
    side.clock,
    side.events,
    Object.assign(new Environment(), { quotaAgents: 0 }),
  );
  service = new AgentListService(side.reads, new AgentSearchReader(side.searches), side.cursors, side.clock);
});
afterEach(() => side.close());

describe('the list of agents', () => {
  it('is all that are neither retired nor suspended, newest first, for every caller', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await publish(name);
    await setStatus('a', 'inactive');
    await setStatus('b', 'retired');
    await setStatus('c', 'suspended');
    expect(await names()).toEqual(['d', 'a']);
    const { data } = await service.list({ accountId: STRANGER }, { limit: 25 });
    expect(data.map(({ name, status, available }) => [name, status, available])).toEqual([
      ['d', 'active', true],
      ['a', 'inactive', false],
    ]);
  });

  it('shows the members of the interface and no wallet', async () => {
    const { id } = await publish('Lexica', { capabilities: ['a', 'b"'], description: 'Words.' });
    await agents.setAvailability(owner, id, false, new Date('2026-12-01T08:00:00.000Z'));
    expect((await list()).data).toEqual([
      {
        id,
        name: 'Lexica',
        status: 'active',
        capabilities: ['a', 'b"'],
        created_at: NOW,
        available: false,
        available_until: '2026-12-01T08:00:00.000Z',
        agent_card_url: 'https://agents.example/card',
        description: 'Words.',
      },
    ]);
    side.clock.set('2026-12-01T08:00:00.000Z');
    const [lapsed] = (await list()).data;
    expect(lapsed).toMatchObject({ available: true });
    expect(lapsed).not.toHaveProperty('available_until');
  });

  it('is walked newest first without repeats or gaps while agents are published and retired', async () => {
    for (let n = 0; n < 9; n += 1) {
      side.clock.set(`2026-11-20T12:00:0${n}.000Z`);
      await publish(`n${n}`);
    }
    side.clock.set('2026-11-20T12:00:09.000Z');
    const seen = await walk(
      async (cursor) => {
        const page = await list(undefined, 2, cursor);
        return { ...page, data: page.data.map(({ name }) => ({ id: name })) };
      },
      async (page) => {
        await publish(`new ${page}`);
        await setStatus(page === 0 ? 'n8' : 'n0', 'retired');
      },
    );
    expect(seen).toEqual(['n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n1']);
  });

  it('refuses the cursor of another caller, of a query, and of another query', async () => {
    for (const name of ['audit a', 'audit b', 'review c', 'review d']) await publish(name);
    const plain = (await list(undefined, 1)).next_page!;
    const audits = (await list('audit', 1)).next_page!;
    const refusal = { code: 'invalid_cursor' };
    await expect(service.list({ accountId: STRANGER }, { limit: 1, cursor: plain })).rejects.toMatchObject(refusal);
    await expect(list('audit', 1, plain)).rejects.toMatchObject(refusal);
    await expect(list(undefined, 1, audits)).rejects.toMatchObject(refusal);
    await expect(list('review', 1, audits)).rejects.toMatchObject(refusal);
    expect((await list('audit', 1, audits)).data).toHaveLength(1);
  });
});

describe('the list of own agents', () => {
  const own = (accountId = WORKER, limit = 25, cursor?: string) =>
    service.list({ accountId }, { limit, mine: true, ...(cursor ? { cursor } : {}) });

  it('is all of the caller whatever their status, newest first, each as a read by its id shows it to its owner', async () => {
    for (const [n, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      side.clock.set(`2026-11-20T12:00:0${n}.000Z`);
      await publish(name, n % 2 === 0 ? {} : { capabilities: ['x'], description: 'Words.' });
    }
    await setStatus('a', 'inactive');
    await setStatus('b', 'retired');
    await side.dataSource.manager.update(AgentEntity, { name: 'c' }, { status: 'suspended', suspensionReason: 'spam' });
    const until = new Date('2026-12-01T08:00:00.000Z');
    await side.dataSource.manager.update(AgentEntity, { name: 'd' }, { available: false, availableUntil: until });
    await agents.publish(
      { id: STRANGER, walletAddress: address(9) },
      { name: 'theirs', agentCardUrl: 'https://x.example' },
    );
    for (const time of ['2026-11-20T12:00:09.000Z', '2026-12-01T08:00:00.000Z']) {
      side.clock.set(time);
      const { data, next_page } = await own();
      expect([data.map(({ name }) => name), next_page]).toEqual([['e', 'd', 'c', 'b', 'a'], null]);
      for (const shown of data) {
        expect(shown).toEqual(AgentDto.from(await agents.get(shown.id), WORKER, side.clock.now()));
      }
    }
    expect((await own(STRANGER)).data.map(({ name }) => name)).toEqual(['theirs']);
    expect(await own(BUYER)).toEqual({ data: [], next_page: null });
  });

  it('is walked without repeats or gaps while agents are published and retired', async () => {
    for (let n = 0; n < 5; n += 1) {
      side.clock.set(`2026-11-20T12:00:0${n}.000Z`);
      await publish(`n${n}`);
    }
    side.clock.set('2026-11-20T12:00:09.000Z');
    const seen = await walk(
      async (cursor) => {
        const page = await own(WORKER, 2, cursor);
        return { ...page, data: page.data.map(({ name }) => ({ id: name })) };
      },
      async (page) => {
        await publish(`new ${page}`);
        await setStatus('n0', 'retired');
      },
    );
    expect(seen).toEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
  });

  it('has cursors of its own, for its owner alone, and takes no query', async () => {
    for (const name of ['audit a', 'audit b']) await publish(name);
    const { next_page } = await own(WORKER, 1);
    const refusal = { code: 'invalid_cursor' };
    await expect(own(STRANGER, 1, next_page!)).rejects.toMatchObject(refusal);
    await expect(service.list({ accountId: WORKER }, { limit: 1, cursor: next_page! })).rejects.toMatchObject(refusal);
    const everybodys = (await service.list({ accountId: WORKER }, { limit: 1 })).next_page!;
    await expect(own(WORKER, 1, everybodys)).rejects.toMatchObject(refusal);
    const searched = service.list({ accountId: WORKER }, { limit: 1, mine: true, query: 'audit' });
    await expect(searched).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect((await service.list({ accountId: WORKER }, { limit: 5, mine: true, query: '' })).data).toHaveLength(2);
  });
});

describe('a search for agents', () => {
  it('finds by name before capabilities before description, and by other forms of a word', async () => {
    await publish('one', { description: 'audits' });
    await publish('two', { capabilities: ['contractAudit'] });
    await publish('auditing');
    await publish('cook');
    expect(await names('audit')).toEqual(['auditing', 'two', 'one']);
    expect(await names('contractAudit')).toEqual(['two']);
    expect(await names('contract_audit')).toEqual(['two']);
    expect(await names('contract-audit')).toEqual(['two']);
  });

  it('knows phrases, either and exclusions', async () => {
    await publish('contract audit');
    await publish('audit a contract');
    await publish('review');
    expect(await names('"contract audit"')).toEqual(['contract audit']);
    expect((await names('audit or review')).sort()).toEqual(['audit a contract', 'contract audit', 'review']);
    expect(await names('audit -"contract audit"')).toEqual(['audit a contract']);
    expect(await names('audit review')).toEqual([]);
  });

  it('leaves out the retired and the suspended', async () => {
    for (const name of ['audit a', 'audit b', 'audit c']) await publish(name);
    await setStatus('audit a', 'retired');
    await setStatus('audit b', 'suspended');
    expect(await names('audit')).toEqual(['audit c']);
  });

  it.each([
    'the',
    'of and the',
    '-audit',
    '-audit -review',
    'audit or -review',
    '"',
    '-',
    '???',
    '   ',
    '\u0000',
    '🤖',
  ])('for %j, which names nothing to search for, finds nothing', async (query) => {
    await publish('audit');
    expect(await list(query)).toEqual({ data: [], next_page: null });
  });

  it('is never an error, whatever is typed', async () => {
    await publish('audit');
    const hostile = [
      `'`,
      `''`,
      `' & | ! : * ( ) <->`,
      `'; DROP TABLE agents; --`,
      `audit:*`,
      `audit & !(review | x)`,
      `!audit`,
      `a <-> b <2> c <99999999> d`,
      `:A audit:ABCD`,
      `\\`,
      `\\'`,
      `$1 %s {} [] ""`,
      `"" -"" -"-" --"`,
      `or or or`,
      `or`,
      `-or -"or"`,
      `((((((((`,
      `audit\u0000review`,
      '\ud83d',
      '\u202eaudit',
      '\n\t\r',
      '"'.repeat(256),
      '-'.repeat(256),
      'a '.repeat(128),
      '-a '.repeat(85),
      'a or '.repeat(51),
      `https://user:pw@example.com/a?b=c#d`,
      `1e999 -1 0x 1.5.5`,
    ];
    for (const query of hostile) {
      const { data } = await list(query);
      expect([query, Array.isArray(data)]).toEqual([query, true]);
    }
    let seed = 7;
    const letters = Array.from(`'&|!:*()<->"\\ orabAB-_/.,;$%\u0000é🤖`);
    for (let n = 0; n < 300; n += 1) {
      let query = '';
      for (let i = 0; i < 12; i += 1) {
        seed = (seed * 48_271) % 2_147_483_647;
        query += letters[seed % letters.length];
      }
      expect(Array.isArray((await list(query)).data)).toBe(true);
    }
    expect(await names()).toEqual(['audit']);
  });

  it('is walked by rank, then newest first, without repeats or gaps while agents arrive', async () => {
    for (let n = 0; n < 6; n += 1) {
      side.clock.set(`2026-11-20T12:00:0${n}.000Z`);
      await publish(n % 2 === 0 ? `audit n${n}` : `n${n}`, { description: 'audit' });
    }
    side.clock.set('2026-11-20T12:00:09.000Z');
    const whole = await names('audit');
    expect(whole).toEqual(['audit n4', 'audit n2', 'audit n0', 'n5', 'n3', 'n1']);
    const seen = await walk(
      async (cursor) => {
        const page = await list('audit', 2, cursor);
        return { ...page, data: page.data.map(({ name }) => ({ id: name })) };
      },
      (page) => publish(`audit audit audit ${page}`, { capabilities: ['audit'] }),
    );
    expect(seen).toEqual(whole);
  });
});

it('lists and searches read through their indexes on 50,000 agents', async () => {
  await side.fill(
    `INSERT INTO agents (id, account_id, name, agent_card_url, capabilities, status, wallet_address, created_at, updated_at,
        search)
      SELECT 'agent_' || lpad(n::text, 26, '0'), $2, 'n' || n, 'https://x', '{}',
        CASE WHEN n % 10 = 0 THEN 'retired' ELSE 'active' END, '0x', $1, $1,
        to_tsvector('english', 'word' || n || CASE WHEN n % 500 = 1 THEN ' audit' ELSE '' END)
      FROM generate_series(1, 50000) AS n`,
    [NOW, WORKER],
  );
  await side.fill('ANALYZE agents');
  const plain = await planOf(side.dataSource, agentListStatement(26).text, [NOW, 'agent_z']);
  expect(plain.scans).toContain('Index Scan Backward using agents_listed_id_idx on agents');
  expect(plain.nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
  const own = await planOf(side.dataSource, ownAgentsStatement(25).text, [NOW, WORKER, 'agent_z']);
  expect(own.scans).toEqual(['Index Scan Backward using agents_account_id_id_idx on agents']);
  expect(own.nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
  const seen = await walk((cursor) => list('audit', 30, cursor));
  expect(seen).toHaveLength(100);
  expect([...seen]).toEqual([...seen].sort().reverse());
});
