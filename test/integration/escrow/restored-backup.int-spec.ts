import { DataSource } from 'typeorm';
import { ChainTrees } from '../../../src/modules/escrow/tree-ledger/tree-ledger-chain.js';
import { IndexedTrees } from '../../../src/modules/escrow/tree-ledger/tree-ledger-index.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { Reconciliation } from '../../../src/tools/reconcile/reconciliation.js';
import type { TestTree } from '../../support/chain-market.js';
import { copyDatabase } from '../../support/database.js';
import { IndexFixture } from '../../support/index-fixture.js';
import type { HiredTree } from '../../support/indexed-market.js';
import type { TestService } from '../../support/test-service.js';

const fixture = new IndexFixture();

/** What a list shows of the node, with who works: the signed terms on the chain name the wallet alone. */
const NODES = `SELECT task_id, path, amount, state, outcome, withdrawn, worker_agent_id, worker_account_id
  FROM escrow_nodes WHERE task_id = ANY($1) ORDER BY id`;
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
  const { dataSource } = fixture.market;
  const now = service.get(DataSource);
  const tasks = [known.taskId, opened.taskId];
  expect(await now.query('SELECT task_id, reason FROM unpublished_trees')).toEqual([]);
  expect(await now.query(TREES)).toMatchObject([
    { task_id: known.taskId, funded: '100000000', held: '100000000', paid: '0' },
    { task_id: opened.taskId, funded: '70000000', held: '70000000' },
  ]);
  const nodes = await now.query<Record<string, unknown>[]>(NODES, [tasks]);
  expect(nodes).toMatchObject([
    { task_id: known.taskId, path: '1' },
    { task_id: known.taskId, state: 'released', outcome: 'accepted', amount: '40000000' },
    { task_id: opened.taskId, path: '1', amount: '70000000' },
  ]);
  expect(await now.query('SELECT id FROM tasks WHERE id = $1', [lost.taskId])).toEqual([]);
  expect(await dataSource.query('SELECT id FROM tasks WHERE id = $1', [lost.taskId])).toHaveLength(1);
  const trees = new ChainTrees(service.get(ChainClient), fixture.chain.usdc);
  const lines: string[] = [];
  const summary = await new Reconciliation(new IndexedTrees(now), trees, (line) => lines.push(line), 1).run();
  expect({ differences: summary.differences, lines }).toEqual({ differences: 0, lines: [] });
});
