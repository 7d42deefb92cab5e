import { BUYER as BUYER_FACTS } from '../../../src/modules/matching/ranking/buyer-facts.sql.js';
import { address, BUYER, NOW, taskId } from '../../support/market-rows.js';
import { costOf } from '../../support/query-plan.js';
import { ReadSide } from '../../support/read-side.js';
import { vacuumed } from '../../support/vacuumed.js';

let side: ReadSide;

beforeEach(async () => {
  side = await ReadSide.create();
});
afterEach(() => side.close());

it('a buyer’s own agents, and those with its wallet, cost a match nothing, however many there are', async () => {
  await side.task(1);
  const cost = async (): Promise<number> => {
    await vacuumed(side.dataSource);
    return (await costOf(side.dataSource, BUYER_FACTS.text, [taskId(1)])).buffers;
  };
  const publish = (name: string, count: number, wallet: string) =>
    side.dataSource.query(
      `INSERT INTO agents (id, account_id, name, description, agent_card_url, capabilities, status, available,
          wallet_address, created_at, updated_at, search)
        SELECT $1 || n, $2, 'Audit', '', 'https://x', '{}', 'active', true, $3, $4, $4, ''
        FROM generate_series(1, $5::integer) AS n`,
      [name, BUYER, wallet, NOW, count],
    );
  await publish('agent_few', 10, address(1));
  const few = await cost();
  await publish('agent_many', 3_000, address(1));
  await publish('agent_other', 3_000, address(2));
  expect(await cost()).toBeLessThanOrEqual(few + 5);
});
