import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, nodeRow, RIVAL, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

let side: ReadSide;
let market: MatchingSide;

const publish = (accountId: string, name: string, capabilities: string[] = ['audit']) =>
  market.agents.publish(
    { id: accountId, walletAddress: address(50) },
    { name, capabilities, agentCardUrl: 'https://agents.example/card' },
  );
const explain = (accountId: string, agentId: string) => market.explanations.explain({ accountId }, taskId(1), agentId);
const codes = async (agentId: string) => (await explain(BUYER, agentId)).explanation?.refusals.map(({ code }) => code);

beforeEach(async () => {
  side = await ReadSide.create();
  market = new MatchingSide(side);
  await side.task(1);
});
afterEach(() => side.close());

describe('the explanation of a match', () => {
  it('of a ranked agent has its match, its place and the parts of its score', async () => {
    await publish(RIVAL, 'Solidity audit contract');
    const { id } = await publish(WORKER, 'second');
    const page = await explain(BUYER, id);
    expect(page.data.map(({ agent, rank }) => [agent.id, rank])).toEqual([[id, 2]]);
    expect(page.next_page).toBeNull();
    expect(page.explanation).toEqual({
      agent_id: id,
      eligible: true,
      rank: 2,
      refusals: [],
      components: {
        relevance: expect.any(Number),
        score: 0.8,
        independence: 0,
        price_fit: 1,
        idle: 1,
        similarity: 0,
      },
    });
    const { relevance } = page.explanation?.components ?? { relevance: 0 };
    expect(page.data[0]?.score).toBeCloseTo(0.6 * relevance + 0.25 * 0.8 + 0.1, 3);
  });

  it('names everything that keeps an agent from being hired, and shows no match of it', async () => {
    const { id } = await publish(WORKER, 'Cook', ['pasta']);
    expect((await explain(BUYER, id)).data).toEqual([]);
    expect(await codes(id)).toEqual(['nothing_in_common']);
    await market.agents.setAvailability({ id: WORKER }, id, false);
    expect(await codes(id)).toEqual(['not_available', 'nothing_in_common']);
    await market.agents.update({ id: WORKER, walletAddress: address(50) }, id, { capabilities: ['audit'] });
    expect(await codes(id)).toEqual(['not_available']);
    await market.agents.update({ id: WORKER, walletAddress: address(50) }, id, { status: 'inactive' });
    expect(await codes(id)).toEqual(['not_active', 'not_available']);
    const { explanation } = await explain(BUYER, id);
    expect(explanation).toMatchObject({ agent_id: id, eligible: false });
    expect(explanation).not.toHaveProperty('rank');
    expect(explanation).not.toHaveProperty('components');
    for (const { reason } of explanation?.refusals ?? []) expect(reason).toMatch(/^[A-Z].*\.$/);
  });

  it('tells of the same owner behind buyer and agent, by account, wallet or cluster', async () => {
    const own = await publish(BUYER, 'Own');
    expect(await codes(own.id)).toEqual(['same_cluster']);
    const wallet = await publish(WORKER, 'Wallet');
    await side.dataSource.query('UPDATE agents SET wallet_address = $1 WHERE id = $2', [address(1), wallet.id]);
    expect(await codes(wallet.id)).toEqual(['same_cluster']);
    const cluster = await publish(RIVAL, 'Cluster');
    expect(await codes(cluster.id)).toEqual([]);
    await side.dataSource.query(`INSERT INTO account_clusters VALUES ('${RIVAL}', 'c'), ('${BUYER}', 'c')`);
    expect(await codes(cluster.id)).toEqual(['same_cluster']);
    const { data } = await market.matching.list({ accountId: BUYER }, taskId(1), { limit: 5 });
    expect(data).toEqual([]);
  });

  it.each(['abandoned', 'non_delivery', 'rejection_final'] as const)(
    'tells that the agent has ended work for this task as %s',
    async (outcome) => {
      const { id } = await publish(WORKER, 'Once');
      await side.insert(EscrowNodeEntity, nodeRow(1n, { workerAgentId: id, state: 'refunded', outcome }));
      expect(await codes(id)).toEqual(['refused_before']);
      const { data } = await market.matching.list({ accountId: BUYER }, taskId(1), { limit: 5 });
      expect(data).toEqual([]);
    },
  );

  it('is for the buyer and for the owner of the agent, and for nobody else', async () => {
    const { id } = await publish(WORKER, 'Mine');
    expect((await explain(WORKER, id)).explanation).toMatchObject({ eligible: true, rank: 1 });
    for (const other of [RIVAL, STRANGER]) {
      await expect(explain(other, id)).rejects.toMatchObject({ code: 'not_task_buyer' });
    }
    await expect(explain(BUYER, 'agent_none')).rejects.toMatchObject({ code: 'not_found' });
    await side.dataSource.query(`UPDATE tasks SET status = 'draft'`);
    await expect(explain(WORKER, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('newcomers', () => {
  const impressions = async () =>
    Object.fromEntries(
      (await side.dataSource.query('SELECT agent_id, impressions FROM agent_impressions')).map(
        (row: { agent_id: string; impressions: number }) => [row.agent_id, row.impressions],
      ),
    );

  it('are counted once per task when its buyer is shown them on a first page, and not for others or a draft', async () => {
    const { id } = await publish(WORKER, 'New');
    const list = (accountId: string) => market.matching.list({ accountId }, taskId(1), { limit: 5 });
    await list(WORKER);
    await list(STRANGER);
    expect(await impressions()).toEqual({});
    await list(BUYER);
    await list(BUYER);
    expect(await impressions()).toEqual({ [id]: 1 });
    await side.task(2, { status: 'draft' });
    await market.matching.list({ accountId: BUYER }, taskId(2), { limit: 5 });
    expect(await impressions()).toEqual({ [id]: 1 });
    await side.task(3);
    await market.matching.list({ accountId: BUYER }, taskId(3), { limit: 5 });
    expect(await impressions()).toEqual({ [id]: 2 });
  });

  it('are kept by task until it ends, and counted for no task that has ended', async () => {
    const { id } = await publish(WORKER, 'New');
    const list = () => market.matching.list({ accountId: BUYER }, taskId(1), { limit: 5 });
    const tasksOf = () => side.dataSource.query('SELECT task_id FROM match_impressions');
    await list();
    await side.dataSource.query(`UPDATE tasks SET status = 'refunded'`);
    expect(await tasksOf()).toEqual([{ task_id: taskId(1) }]);
    await side.dataSource.query(`UPDATE tasks SET status = 'resolved'`);
    expect(await tasksOf()).toEqual([]);
    await list();
    expect(await tasksOf()).toEqual([]);
    expect(await impressions()).toEqual({ [id]: 1 });
  });

  it('stay in their place when the buyer looks again', async () => {
    for (let n = 0; n < 14; n += 1) {
      const account = `acct_${n}`;
      await side.dataSource.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, $1, now())`, [account]);
      await publish(account, `agent${n}`);
      await side.dataSource.query(`UPDATE agents SET wallet_address = $1 WHERE account_id = $2`, [
        address(900 + n),
        account,
      ]);
    }
    const page = async () =>
      (await market.matching.list({ accountId: BUYER }, taskId(1), { limit: 10 })).data.map(({ agent }) => agent.name);
    const first = await page();
    expect(await page()).toEqual(first);
  });
});
