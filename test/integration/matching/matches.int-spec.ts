import { migrations } from '../../../src/migrations.js';
import type { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { AgentEntity } from '../../../src/modules/agents/agent/agent.entity.js';
import type { AgentProfile } from '../../../src/modules/agents/agent/agent-profile.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { MatchSnapshotEntity } from '../../../src/modules/matching/pages/match-snapshot.entity.js';
import type { MatchingService } from '../../../src/modules/matching/matching.service.js';
import { anyOfLexemes } from '../../../src/modules/matching/relevance/lexemes.js';
import { ReputationRecordEntity } from '../../../src/modules/reputation/reputation-record.entity.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, NOW, nodeRow, RIVAL, STRANGER, taskId, ulid, WORKER } from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

let side: ReadSide;
let agents: AgentsService;
let matching: MatchingService;

const list = (accountId: string, limit = 25, cursor?: string) =>
  matching.list({ accountId }, taskId(1), { limit, ...(cursor ? { cursor } : {}) });
const namesSeenBy = async (accountId: string) => (await list(accountId)).data.map(({ agent }) => agent.name);
const publish = (accountId: string, profile: Partial<AgentProfile>): Promise<AgentEntity> =>
  agents.publish(
    { id: accountId, walletAddress: address(50) },
    { name: 'Agent', agentCardUrl: 'https://agents.example/card.json', ...profile },
  );

beforeEach(async () => {
  side = await ReadSide.create();
  ({ agents, matching } = new MatchingSide(side));
  await side.task(1);
});
afterEach(() => side.close());

describe('the matches of a task', () => {
  it('are the eligible agents, the most relevant first', async () => {
    await publish(WORKER, { name: 'Solidity audit', capabilities: ['contractAudit'] });
    await publish(RIVAL, { name: 'Words', description: 'Writes about contracts now and then' });
    await publish(RIVAL, { name: 'Cook', capabilities: ['pasta'] });
    const { data, next_page } = await list(BUYER);
    expect(next_page).toBeNull();
    expect(data.map(({ agent, rank }) => [agent.name, rank])).toEqual([
      ['Solidity audit', 1],
      ['Words', 2],
    ]);
    expect(data[0]).toEqual({
      agent: {
        id: expect.stringMatching(/^agent_/),
        name: 'Solidity audit',
        status: 'active',
        capabilities: ['contractAudit'],
        created_at: NOW,
        available: true,
      },
      score: 0.9,
      rank: 1,
      reason: 'Matches "contractAudit" in name and capabilities; new agent, no ended work yet.',
    });
  });

  it.each(['contractAudit', 'ERCAudit', 'caféAudit', 'smart_audits'])(
    'name the capability %j that has the word',
    async (capability) => {
      await publish(WORKER, { name: 'Agent', description: 'Careful', capabilities: ['cooking', capability] });
      const [match] = (await list(BUYER)).data;
      expect(match?.reason).toBe(`Matches "${capability}" in capabilities; new agent, no ended work yet.`);
    },
  );

  it('name it also when the agent was published before its words were kept', async () => {
    await publish(WORKER, { name: 'Agent', description: 'Careful', capabilities: ['cooking', 'caféAudit'] });
    const words = () =>
      side.dataSource.query("SELECT capability_words::text FROM agents WHERE name = 'Agent' AND capabilities <> '{}'");
    const written = await words();
    const named = migrations.findIndex(({ name }) => name.startsWith('CapabilityWords'));
    const steps = migrations.length - named;
    // The second edition of the escrow takes no tasks over from the first, nor back.
    await side.dataSource.query('DELETE FROM tasks');
    for (let step = 0; step < steps; step += 1) await side.dataSource.undoLastMigration();
    await side.dataSource.runMigrations();
    expect([written, await words()]).toEqual([written, written]);
    expect(written).toEqual([{ capability_words: `{'cook':1,"'audit':2 'café':1"}` }]);
  });

  it('can be asked for whatever lexemes Postgres has', async () => {
    for (const lexeme of ['audit', "it's", 'a\\b', "\\'", '!x:*', 'a | b', '(', ' ']) {
      const found = await side.dataSource.query(
        'SELECT array_to_tsvector(ARRAY[$1]) @@ $2::tsquery AS "isFound", $3::tsquery @@ array_to_tsvector(ARRAY[$1]) AS nothing',
        [lexeme, anyOfLexemes(['other', lexeme]), anyOfLexemes([])],
      );
      expect(found).toEqual([{ isFound: true, nothing: false }]);
    }
  });

  it('leave out the buyer by account and by wallet, the unavailable, the inactive and the irrelevant', async () => {
    const capabilities = ['audit'];
    await publish(BUYER, { name: 'own account', capabilities });
    const twin = await publish(WORKER, { name: 'own wallet', capabilities });
    await side.dataSource.manager.update(AgentEntity, { id: twin.id }, { walletAddress: address(1) });
    const away = await publish(WORKER, { name: 'away', capabilities });
    await agents.setAvailability({ id: WORKER }, away.id, false);
    const retired = await publish(WORKER, { name: 'retired', capabilities });
    await side.dataSource.manager.update(AgentEntity, { id: retired.id }, { status: 'retired' });
    await publish(WORKER, { name: 'fit', capabilities });
    expect(await namesSeenBy(BUYER)).toEqual(['fit']);
  });

  it('are blended with reputation and load, which are shown', async () => {
    const [good, busy, plain] = await Promise.all(
      ['north', 'south', 'west'].map((name) => publish(WORKER, { name, capabilities: ['audit'] })),
    );
    const record = { independenceConfidence: '0.5000', settledValue: 7_000_000n, updatedAt: new Date(NOW) };
    await side.insert(ReputationRecordEntity, { ...record, agentId: good!.id, score: '0.9500' });
    await side.insert(
      EscrowNodeEntity,
      ...[1n, 2n, 3n, 4n].map((n) => nodeRow(n, { workerAgentId: busy!.id, state: n === 4n ? 'released' : 'funded' })),
    );
    const { data } = await list(BUYER);
    expect(data.map(({ agent, score }) => [agent.id, score])).toEqual([
      [good!.id, 0.9625],
      [plain!.id, 0.9],
      [busy!.id, 0.885],
    ]);
    expect(data[0]?.reputation).toEqual({
      score: 0.95,
      independence_confidence: 0.5,
      settled_value: { amount: '7.00', currency: 'USDC' },
    });
    expect(data[1]).not.toHaveProperty('reputation');
  });

  it('are all for the buyer, own rows with their true rank for an owner, and none for others', async () => {
    await publish(WORKER, { name: 'Solidity audit contract' });
    await publish(RIVAL, { name: 'first', description: 'solidity contracts and tests' });
    await publish(WORKER, { name: 'second', description: 'tests' });
    expect(await namesSeenBy(BUYER)).toEqual(['Solidity audit contract', 'first', 'second']);
    expect((await list(RIVAL)).data.map(({ agent, rank }) => [agent.name, rank])).toEqual([['first', 2]]);
    expect((await list(WORKER)).data.map(({ rank }) => rank)).toEqual([1, 3]);
    expect(await list(STRANGER)).toEqual({ data: [], next_page: null });
  });

  it("of the buyer's draft are shown to the buyer, and are a 404 to others", async () => {
    await side.dataSource.query(`UPDATE tasks SET status = 'draft'`);
    await publish(WORKER, { capabilities: ['audit'] });
    expect(await namesSeenBy(BUYER)).toEqual(['Agent']);
    await expect(list(WORKER)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of a private task let nobody see it, however often its buyer looks', async () => {
    await side.dataSource.query(`UPDATE tasks SET status = 'open', tier = 'private_curated'`);
    await publish(WORKER, { capabilities: ['audit'] });
    const parties = () => side.dataSource.query('SELECT account_id, role FROM task_parties ORDER BY account_id, role');
    const before = await parties();
    for (let look = 0; look < 2; look += 1) expect(await namesSeenBy(BUYER)).toEqual(['Agent']);
    expect(await parties()).toEqual(before);
    await expect(list(WORKER)).rejects.toMatchObject({ code: 'not_found' });
    await expect(list(RIVAL)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are frozen with the first page: newcomers do not move them, and who leaves stays, unavailable', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await publish(WORKER, { name, capabilities: ['audit'] });
    const first = await list(BUYER, 2);
    await publish(RIVAL, { name: 'Solidity audit contract', capabilities: ['audit'] });
    const third = await side.dataSource.manager.findOneByOrFail(AgentEntity, { name: 'c' });
    await agents.setAvailability({ id: WORKER }, third.id, false);
    const second = await list(BUYER, 2, first.next_page!);
    expect(second.data.map(({ agent, rank }) => [agent.name, rank, agent.available])).toEqual([
      ['c', 3, false],
      ['d', 4, true],
    ]);
    const last = await list(BUYER, 2, second.next_page!);
    expect(last.data.map(({ agent }) => agent.name)).toEqual(['e']);
    expect(last.next_page).toBeNull();
  });

  it('are walked without repeats or gaps while agents are published', async () => {
    for (let n = 0; n < 7; n += 1) await publish(WORKER, { name: `n${n}`, capabilities: ['audit'] });
    const seen = await walk(
      async (cursor) => {
        const page = await list(BUYER, 2, cursor);
        return { ...page, data: page.data.map(({ agent }) => ({ id: agent.name })) };
      },
      () => publish(RIVAL, { name: 'Solidity audit', capabilities: ['audit'] }),
    );
    expect(seen).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
  });

  it('are kept only when there is a further page, once for one ranking, and swept when they expire', async () => {
    for (const name of ['a', 'b', 'c']) await publish(WORKER, { name, capabilities: ['audit'] });
    const snapshots = () => side.dataSource.manager.find(MatchSnapshotEntity);
    await list(BUYER, 3);
    expect(await snapshots()).toHaveLength(0);
    await list(BUYER, 2);
    await list(BUYER, 1);
    expect(await snapshots()).toHaveLength(1);
    side.clock.set('2026-11-23T13:00:01.000Z');
    await list(BUYER, 2);
    expect((await snapshots()).map(({ createdAt }) => createdAt)).toEqual([new Date('2026-11-23T13:00:01.000Z')]);
  });

  it('are kept for as long as the newest cursor that leads to them', async () => {
    for (const name of ['a', 'b', 'c']) await publish(WORKER, { name, capabilities: ['audit'] });
    await list(BUYER, 2);
    side.clock.set('2026-11-22T12:00:00.000Z');
    const cursor = (await list(BUYER, 2)).next_page!;
    expect(await side.dataSource.manager.count(MatchSnapshotEntity)).toBe(1);
    side.clock.set('2026-11-25T11:59:59.000Z');
    expect((await list(BUYER, 2, cursor)).data.map(({ agent }) => agent.name)).toEqual(['c']);
  });

  it('say on further pages what one page says of all of them, the reasons too', async () => {
    for (const name of ['Audit', 'b', 'c', 'd']) await publish(WORKER, { name, capabilities: ['audit', 'solidity'] });
    const { data } = await list(BUYER, 100);
    const first = await list(BUYER, 1);
    const second = await list(BUYER, 2, first.next_page!);
    const third = await list(BUYER, 2, second.next_page!);
    expect([...first.data, ...second.data, ...third.data]).toEqual(data);
    expect(third.next_page).toBeNull();
  });

  it('leave out on a further page who was suspended since, and go on behind it', async () => {
    for (const name of ['a', 'b', 'c']) await publish(WORKER, { name, capabilities: ['audit'] });
    const [, second, third] = (await list(BUYER)).data.map(({ agent }) => agent);
    const first = await list(BUYER, 1);
    await side.dataSource.manager.update(AgentEntity, { id: second!.id }, { status: 'suspended' });
    const empty = await list(BUYER, 1, first.next_page!);
    expect(empty.data).toEqual([]);
    expect((await list(BUYER, 1, empty.next_page!)).data.map(({ agent }) => agent.id)).toEqual([third!.id]);
  });

  it('are not told to who may no longer see the task', async () => {
    for (const name of ['a', 'b']) await publish(WORKER, { name, capabilities: ['audit'] });
    const cursor = (await list(WORKER, 1)).next_page!;
    expect((await list(WORKER, 1, cursor)).data).toHaveLength(1);
    await side.dataSource.query('UPDATE tasks SET hidden_at = now()');
    await expect(list(WORKER, 1, cursor)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('refuse a cursor whose ranking has expired, and one of another caller', async () => {
    for (const name of ['a', 'b', 'c']) await publish(WORKER, { name, capabilities: ['audit'] });
    const cursor = (await list(BUYER, 1)).next_page!;
    await expect(list(WORKER, 1, cursor)).rejects.toMatchObject({ code: 'invalid_cursor' });
    await side.dataSource.query('DELETE FROM match_snapshots');
    await expect(list(BUYER, 1, cursor)).rejects.toMatchObject({
      code: 'invalid_cursor',
      suggestion: 'Start again without a cursor.',
    });
  });

  it('bear hostile words in the task and in an agent', async () => {
    await side.dataSource.query(`UPDATE tasks SET brief = $1`, [`audit' | !x:* \\ & <-> "); DROP TABLE agents; --`]);
    await publish(WORKER, { name: `'; DROP TABLE agents; -- \\`, capabilities: [`audit" ; '\\`] });
    expect(await namesSeenBy(BUYER)).toEqual([`'; DROP TABLE agents; -- \\`]);
    await side.dataSource.query(`UPDATE tasks SET title = NULL, brief = '???', criteria = '{}'`);
    expect(await namesSeenBy(BUYER)).toEqual([]);
  });
});

describe('an agent', () => {
  it('is published active and available with its words weighted, and only its owner finds it as its own', async () => {
    const agent = await publish(WORKER, { name: 'Alpha', capabilities: ['betaGamma'], description: 'delta' });
    const [row] = await side.dataSource.query('SELECT search::text, id, status, available FROM agents WHERE id = $1', [
      agent.id,
    ]);
    expect(row).toEqual({
      id: agent.id,
      status: 'active',
      available: true,
      search: `'alpha':1A 'beta':2B 'delta':4C 'gamma':3B`,
    });
    await expect(agents.findOwned({ id: RIVAL }, agent.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(agents.setAvailability({ id: RIVAL }, agent.id, false)).rejects.toMatchObject({ code: 'not_found' });
    expect(await agents.findById(agent.id)).toMatchObject({ available: true, walletAddress: address(50) });
    expect(await agents.findById(`agent_${ulid(1)}`)).toBeNull();
  });
});
