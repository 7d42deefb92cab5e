import { DataSource } from 'typeorm';
import { ChainTrees } from '../../../src/modules/escrow/tree-ledger/tree-ledger-chain.js';
import { IndexedTrees } from '../../../src/modules/escrow/tree-ledger/tree-ledger-index.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { Reconciliation } from '../../../src/tools/reconcile/reconciliation.js';
import type { TestTree } from '../../support/chain-market.js';
import { copyDatabase } from '../../support/database.js';
import { IndexFixture } from '../../support/index-fixture.js';
import type { HiredTree, Party } from '../../support/indexed-market.js';
import type { TestService } from '../../support/test-service.js';

const fixture = new IndexFixture();

/** With who works: where the offer is lost, the chain names the wallet alone. */
const NODES = `SELECT task_id, amount, state, outcome, worker_agent_id, worker_account_id
  FROM escrow_nodes ORDER BY task_id, path`;
const TREES = 'SELECT task_id, funded, held, paid, refundable FROM escrow_trees ORDER BY task_id';

/** A database as it was a while ago, and what has happened on the chain since. */
async function restored(): Promise<{ service: TestService; known: HiredTree; opened: TestTree; lost: HiredTree }> {
  const { chain, market, buyer, worker, other } = fixture;
  const before = await fixture.open();
  const known = await market.hired(buyer, worker);
  const opened = await market.draft(buyer);
  await before.index();
  await fixture.close(before);
  await market.dataSource.destroy();
  const backup = await copyDatabase(fixture.databaseUrl);
  await market.dataSource.initialize();

  const child = await market.hireBelow(known, 2, worker, other, 40_000_000n);
  await chain.deliver(known, child.nodeId, other.wallet);
  await chain.resolve(known, child, worker.wallet);
  await chain.create(opened);
  const root = chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 70_000_000n });
  await chain.fund(opened, root, worker.wallet, await market.quote(opened, root, worker, buyer));
  const lost = await market.hired(buyer, worker);

  fixture.databaseUrl = backup;
  const service = await fixture.open();
  await service.index();
  return { service, known, opened, lost };
}

it('shows of each task that the backup has what the chain has, also where the offer is lost', async () => {
  const { service, known, opened, lost } = await restored();
  const { market, chain, worker, other } = fixture;
  const now = service.get(DataSource);
  expect(await now.query('SELECT task_id, reason FROM unpublished_trees')).toEqual([]);
  expect(await now.query(TREES)).toMatchObject([
    { task_id: known.taskId, funded: '100000000', held: '100000000', paid: '0' },
    { task_id: opened.taskId, funded: '70000000', held: '70000000' },
  ]);
  const by = ({ agentId, accountId }: Party) => ({ worker_agent_id: agentId, worker_account_id: accountId });
  expect(await now.query(NODES)).toMatchObject([
    { task_id: known.taskId, amount: '100000000', state: 'funded', ...by(worker) },
    { task_id: known.taskId, amount: '40000000', state: 'released', outcome: 'accepted', ...by(other) },
    { task_id: opened.taskId, amount: '70000000', state: 'funded', ...by(worker) },
  ]);
  const FOUND = 'SELECT id FROM tasks WHERE id = $1';
  expect(await market.dataSource.query(FOUND, [lost.taskId])).toHaveLength(1);
  expect(await now.query(FOUND, [lost.taskId])).toEqual([]);
  const trees = new ChainTrees(service.get(ChainClient), chain.usdc);
  const lines: string[] = [];
  const summary = await new Reconciliation(new IndexedTrees(now), trees, (line) => lines.push(line), 1).run();
  expect({ differences: summary.differences, lines }).toEqual({ differences: 0, lines: [] });
});
