import type { CandidateSearch } from '../../../src/modules/matching/ranking/candidate-source.js';
import { AgentSearchRows } from '../../../src/modules/matching/search-tables/agent-search-rows/agent-search-rows.js';
import { CandidateFacts } from '../../../src/modules/matching/sql-search/candidate-facts.js';
import { PostingLists } from '../../../src/modules/matching/sql-search/posting-lists.js';
import { SqlCandidateSource } from '../../../src/modules/matching/sql-search/sql-candidate-source.js';
import { eventually } from '../../support/eventually.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, RIVAL, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

/** The database as a source of candidates, with something that happens as soon as they are found. */
class InterruptedSource extends SqlCandidateSource {
  afterwards: () => Promise<unknown> = () => Promise.resolve();

  override begin(): CandidateSearch {
    const search = super.begin();
    return async (query) => {
      const found = await search(query);
      await this.afterwards();
      return found;
    };
  }
}

let side: ReadSide;
let market: MatchingSide;
let source: InterruptedSource;

const publish = (accountId: string, name: string): Promise<{ id: string }> =>
  market.agents.publish(
    { id: accountId, walletAddress: address(50) },
    { name, agentCardUrl: 'https://agents.example/card' },
  );
const page = (limit: number) => market.matching.list({ accountId: BUYER }, taskId(1), { limit });

beforeEach(async () => {
  side = await ReadSide.create();
  source = new InterruptedSource(
    new PostingLists(side.reads),
    new CandidateFacts(side.reads),
    new AgentSearchRows(side.reads, side.transactions),
  );
  market = new MatchingSide(side, source);
  await side.task(1);
});
afterEach(() => side.close());

describe('a first page of matches', () => {
  it.each([1, 5])('of a task that is deleted meanwhile is not found, with pages of %i', async (limit) => {
    await publish(WORKER, 'Solidity audit');
    await publish(RIVAL, 'Audit');
    source.afterwards = () => side.dataSource.query('DELETE FROM tasks WHERE id = $1', [taskId(1)]);
    await expect(page(limit)).rejects.toMatchObject({ code: 'not_found' });
    for (const table of ['match_snapshots', 'match_impressions', 'agent_impressions']) {
      expect(await side.dataSource.query(`SELECT FROM ${table}`)).toEqual([]);
    }
  });

  it('counts its agents by their ids, so that two pages of one task never wait for each other in a circle', async () => {
    const first = (await publish(WORKER, 'Words about a contract')).id;
    const better = (await publish(RIVAL, 'Solidity audit contract')).id;
    expect(first < better).toBe(true);
    const shown = 'INSERT INTO match_impressions (task_id, agent_id) VALUES ($1, $2)';
    const [holder, prober] = [side.dataSource.createQueryRunner(), side.dataSource.createQueryRunner()];
    await holder.startTransaction();
    await holder.query(shown, [taskId(1), first]);
    const showing = page(5);
    await eventually(async () => {
      const waiting = await side.dataSource.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
    // The better agent's row is still free only when the page waits for the other one before it writes this one.
    await prober.startTransaction();
    await prober.query(`SET LOCAL lock_timeout = '1s'`);
    const probe = await prober.query(shown, [taskId(1), better]).then(
      () => 'free',
      () => 'taken',
    );
    for (const runner of [prober, holder]) {
      await runner.rollbackTransaction();
      await runner.release();
    }
    expect((await showing).data.map(({ agent }) => agent.id)).toEqual([better, first]);
    expect(probe).toBe('free');
  });
});
