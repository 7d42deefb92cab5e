import { AgentEntity, type AgentStatus } from '../../../src/modules/agents/agent/agent.entity.js';
import type { AgentChange, AgentProfile } from '../../../src/modules/agents/agent/agent-profile.js';
import type { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { AccountEntity } from '../../../src/modules/accounts/account.entity.js';
import { QuoteEntity } from '../../../src/modules/quotes/quote/quote.entity.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, NOW, quoteRow, RIVAL, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

const OWN = address(2);
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const owner = { id: WORKER, walletAddress: OWN };
const rival = { id: RIVAL, walletAddress: address(3) };
const task = {
  id: taskId(1),
  title: 'Audit a contract',
  brief: 'Audit one solidity contract',
  criteria: [],
  buyerAccountId: BUYER,
  buyerWallet: address(1),
};
const profile: AgentProfile = { name: 'Lexica', agentCardUrl: 'https://agents.example/card' };

let side: ReadSide;
let market: MatchingSide;
let agents: AgentsService;

const publish = (change: Partial<AgentProfile> = {}, by = owner) => agents.publish(by, { ...profile, ...change });
const stored = (id: string) => side.dataSource.manager.findOneByOrFail(AgentEntity, { id });
const lexemes = async (id: string): Promise<string> =>
  (await side.dataSource.query('SELECT search::text FROM agents WHERE id = $1', [id]))[0].search;
const setStatus = (id: string, status: AgentStatus) => side.dataSource.manager.update(AgentEntity, { id }, { status });
/** Names of the agents in the ranking that the service now makes for a task about audits. */
const matched = async (): Promise<string[]> => {
  const { matches } = await market.ranking.rankAgents(task, 100);
  const rows = await Promise.all(matches.map(({ candidate }) => stored(candidate.agentId)));
  return rows.map(({ name }) => name);
};

beforeEach(async () => {
  side = await ReadSide.create();
  market = new MatchingSide(side);
  agents = market.agents;
});
afterEach(() => side.close());

describe('a published agent', () => {
  it("has its account's wallet unless it names another that nobody has, and several may share one", async () => {
    expect((await publish()).walletAddress).toBe(OWN);
    const [first, second] = [
      await publish({ walletAddress: OTHER.toLowerCase() }),
      await publish({ walletAddress: OTHER }),
    ];
    expect([first.walletAddress, second.walletAddress]).toEqual([OTHER, OTHER]);
  });

  it.each([
    ["another account's", () => address(3)],
    ["that of another account's agent", () => address(13)],
  ])('is refused with a wallet that is %s', async (_, wallet) => {
    await expect(publish({ walletAddress: wallet() })).rejects.toMatchObject({ code: 'wallet_mismatch' });
    expect(await side.dataSource.manager.countBy(AgentEntity, { name: 'Lexica' })).toBe(0);
  });

  it("keeps the account's own wallet, although another account has claimed it before", async () => {
    await side.agent('agent_squatter', RIVAL, { walletAddress: OWN });
    expect((await publish()).walletAddress).toBe(OWN);
    expect((await publish({ walletAddress: OWN })).walletAddress).toBe(OWN);
  });

  it('gets a wallet that two accounts claim at the same moment for one of them only', async () => {
    for (let n = 0; n < 5; n += 1) {
      const walletAddress = address(500 + n);
      const results = await Promise.allSettled(
        [owner, rival, owner, rival].map((by) => publish({ walletAddress }, by)),
      );
      const holders = await side.dataSource.manager.findBy(AgentEntity, { walletAddress });
      expect(new Set(holders.map(({ accountId }) => accountId)).size).toBe(1);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'wallet_mismatch' });
      }
    }
  });

  it('needs a wallet', async () => {
    await expect(publish({}, { ...owner, walletAddress: null as never })).rejects.toMatchObject({
      code: 'wallet_mismatch',
    });
  });

  it('shows up in the next match, and goes from it when it says so', async () => {
    expect(await matched()).toEqual([]);
    const agent = await publish({ capabilities: ['audit'] });
    expect(await matched()).toEqual(['Lexica']);
    await agents.setAvailability(owner, agent.id, false);
    expect(await matched()).toEqual([]);
    await agents.setAvailability(owner, agent.id, true);
    await agents.update(owner, agent.id, { status: 'inactive' });
    expect(await matched()).toEqual([]);
    await agents.update(owner, agent.id, { status: 'active', name: 'Audits', capabilities: [] });
    expect(await matched()).toEqual(['Audits']);
    await agents.update(owner, agent.id, { name: 'Cook' });
    expect(await matched()).toEqual([]);
  });
});

describe('a change of an agent', () => {
  it('writes what is given, its words and its time, and leaves the rest', async () => {
    const agent = await publish({ capabilities: ['translate'], description: 'of texts', walletAddress: OTHER });
    side.clock.set('2026-11-21T00:00:00.000Z');
    const changed = await agents.update(owner, agent.id, { name: 'Alpha', capabilities: ['betaGamma'] });
    const expected = Object.assign(new AgentEntity(), agent, {
      name: 'Alpha',
      capabilities: ['betaGamma'],
      updatedAt: new Date('2026-11-21T00:00:00.000Z'),
    });
    expect(changed).toMatchObject(expected);
    expect(await stored(agent.id)).toEqual(expected);
    expect(await lexemes(agent.id)).toBe(`'alpha':1A 'beta':2B 'gamma':3B 'text':5C`);
  });

  it('says whether the agent works with another wallet now', async () => {
    const agent = await publish();
    const said: boolean[] = [];
    side.events.on('agent_changed', async (_manager, { hasNewWallet }) => void said.push(hasNewWallet));
    await agents.update(owner, agent.id, { name: 'Alpha' });
    await agents.update(owner, agent.id, { walletAddress: OTHER });
    await agents.update(owner, agent.id, { walletAddress: OTHER.toLowerCase() });
    await agents.setAvailability(owner, agent.id, false);
    expect(said).toEqual([false, true, false, false]);
  });

  it('of nothing but the status keeps the words', async () => {
    const agent = await publish({ name: 'Alpha' });
    await agents.update(owner, agent.id, { status: 'inactive' });
    expect(await lexemes(agent.id)).toBe(`'alpha':1A`);
  });

  it('never touches an agent of another account, and says the same as for one that is missing', async () => {
    const agent = await publish();
    const refusal = async (id: string, change: AgentChange) =>
      agents.update(rival, id, change).catch((error: { body(): unknown }) => error.body());
    expect(await refusal(agent.id, { name: 'Mine' })).toMatchObject({ error: { code: 'not_found' } });
    expect(await refusal(agent.id, { name: 'Mine' })).toEqual(await refusal('agent_none', { name: 'Mine' }));
    await expect(agents.setAvailability(rival, agent.id, false)).rejects.toMatchObject({ code: 'not_found' });
    expect(await stored(agent.id)).toEqual(agent);
  });

  it.each<[string, AgentChange]>([
    ['an empty name', { name: '' }],
    ['a capability too long', { capabilities: ['x'.repeat(65)] }],
    ['a card over http', { agentCardUrl: 'http://x' }],
    ['the zero address', { walletAddress: address(0) }],
  ])('to %s is refused and changes nothing, before anybody asks whose agent it is', async (_, change) => {
    const agent = await publish();
    for (const id of [agent.id, 'agent_none']) {
      await expect(agents.update(owner, id, { description: 'new', ...change })).rejects.toMatchObject({
        code: 'invalid_body',
      });
    }
    expect(await stored(agent.id)).toEqual(agent);
  });

  it("to another account's wallet is refused; to the account's own it never is", async () => {
    const agent = await publish({ walletAddress: OTHER });
    await expect(agents.update(owner, agent.id, { walletAddress: address(13) })).rejects.toMatchObject({
      code: 'wallet_mismatch',
    });
    expect((await agents.update(owner, agent.id, { walletAddress: OWN })).walletAddress).toBe(OWN);
  });

  it('of the wallet leaves the offers that were signed with the old one', async () => {
    await side.task(1);
    const agent = await publish();
    await side.insert(QuoteEntity, quoteRow(1, { agentId: agent.id, workerWallet: OWN }));
    await agents.update(owner, agent.id, { walletAddress: OTHER });
    const quote = await side.dataSource.manager.findOneByOrFail(QuoteEntity, { agentId: agent.id });
    expect([quote.workerWallet, quote.status]).toEqual([OWN, 'submitted']);
  });

  it('loses nothing when several come at the same moment', async () => {
    const agent = await publish();
    await Promise.all([
      agents.update(owner, agent.id, { name: 'Alpha' }),
      agents.update(owner, agent.id, { description: 'delta' }),
      agents.update(owner, agent.id, { capabilities: ['beta'] }),
      agents.setAvailability(owner, agent.id, false),
    ]);
    expect(await stored(agent.id)).toMatchObject({ name: 'Alpha', description: 'delta', available: false });
    expect(await lexemes(agent.id)).toBe(`'alpha':1A 'beta':2B 'delta':3C`);
  });

  it('to the status it has is no change of it', async () => {
    const agent = await publish();
    expect((await agents.update(owner, agent.id, { status: 'active' })).status).toBe('active');
  });

  it('retires an agent for good', async () => {
    const { id } = await publish();
    await agents.update(owner, id, { status: 'retired' });
    for (const change of [{ status: 'active' }, { status: 'retired' }, { name: 'New' }] as const) {
      await expect(agents.update(owner, id, change)).rejects.toMatchObject({ code: 'state_conflict' });
    }
    await expect(agents.setAvailability(owner, id, true)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await agents.get(id)).toMatchObject({ status: 'retired', name: 'Lexica' });
  });

  it('mends a suspended agent but does not free it', async () => {
    const { id } = await publish();
    await setStatus(id, 'suspended');
    for (const status of ['active', 'inactive', 'retired'] as const) {
      await expect(agents.update(owner, id, { status })).rejects.toMatchObject({ code: 'state_conflict' });
    }
    await expect(agents.setAvailability(owner, id, true)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await agents.update(owner, id, { name: 'Mended' })).toMatchObject({ name: 'Mended', status: 'suspended' });
  });
});

describe('availability', () => {
  const UNTIL = '2026-11-20T18:00:00.000Z';
  const LAST = '2026-11-20T17:59:59.999Z';

  it.each([
    ['away', false, [], ['Lexica']],
    ['available', true, ['Lexica'], []],
  ])('that is %s until a time turns by itself at that time, to the millisecond', async (_, available, early, late) => {
    const { id } = await publish({ capabilities: ['audit'] });
    await agents.setAvailability(owner, id, available, new Date(UNTIL));
    expect(await matched()).toEqual(early);
    side.clock.set(LAST);
    expect(await matched()).toEqual(early);
    side.clock.set(UNTIL);
    expect(await matched()).toEqual(late);
    side.clock.set('2027-11-20T18:00:00.000Z');
    expect(await matched()).toEqual(late);
  });

  it('said anew replaces what was said before, its time too', async () => {
    const { id } = await publish({ capabilities: ['audit'] });
    await agents.setAvailability(owner, id, false, new Date(UNTIL));
    await agents.setAvailability(owner, id, false);
    side.clock.set(UNTIL);
    expect(await matched()).toEqual([]);
    expect(await stored(id)).toMatchObject({ available: false, availableUntil: null });
  });

  it('is kept while an agent is inactive, and holds when it comes back', async () => {
    const { id } = await publish({ capabilities: ['audit'] });
    await agents.update(owner, id, { status: 'inactive' });
    await agents.setAvailability(owner, id, false, new Date(UNTIL));
    await agents.update(owner, id, { status: 'active' });
    expect(await matched()).toEqual([]);
    side.clock.set(UNTIL);
    expect(await matched()).toEqual(['Lexica']);
  });

  it.each([
    ['now', NOW],
    ['in the past', '2026-11-20T11:59:59.999Z'],
    ['more than a year ahead', '2027-11-20T12:00:00.001Z'],
    ['never', 'never'],
  ])('until %s is refused', async (_, until) => {
    const { id } = await publish();
    await expect(agents.setAvailability(owner, id, false, new Date(until))).rejects.toMatchObject({
      code: 'invalid_body',
    });
    await expect(agents.setAvailability(owner, 'agent_none', false, new Date(until))).rejects.toMatchObject({
      code: 'invalid_body',
    });
    expect(await stored(id)).toMatchObject({ available: true, availableUntil: null });
  });

  it.each(['2026-11-20T12:00:00.001Z', '2027-11-20T12:00:00.000Z'])('until %s is kept', async (until) => {
    const { id } = await publish();
    await agents.setAvailability(owner, id, false, new Date(until));
    expect((await stored(id)).availableUntil?.toISOString()).toBe(until);
  });
});

it('an agent is found by anybody, also when it is retired; a missing one is a 404', async () => {
  const { id } = await publish();
  await setStatus(id, 'retired');
  expect(await agents.get(id)).toMatchObject({ id, status: 'retired' });
  await expect(agents.get('agent_none')).rejects.toMatchObject({ code: 'not_found' });
  expect(await side.dataSource.manager.countBy(AccountEntity, { id: STRANGER })).toBe(1);
  await expect(agents.findOwned({ id: BUYER }, id)).rejects.toMatchObject({ code: 'not_found' });
});
