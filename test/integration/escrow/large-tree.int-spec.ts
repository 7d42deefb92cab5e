import { childPath } from '../../../libs/kernel/src/index.js';
import { IndexerService } from '../../../src/modules/escrow/indexer/indexer.service.js';
import { ChainMarket } from '../../support/chain-market.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { IndexedMarket } from '../../support/indexed-market.js';
import { TestService } from '../../support/test-service.js';

jest.setTimeout(300_000);

/** More nodes than one statement has parameters for, at 29 columns a node. */
const NODES = 3_000;

it('a tree of 3,000 nodes that the contract itself has made is indexed, and another one does not wait for it', async () => {
  const chain = await ChainMarket.start();
  const { url, dataSource } = await createMigratedDatabase();
  const market = new IndexedMarket(chain, dataSource);
  const app = await TestService.start(url, market.connection);
  try {
    const [buyer, worker] = [await market.party('Buyer'), await market.party('Worker')];
    const helper = await chain.agreeableWallet();
    const large = await market.hired(buyer, worker);
    const children = Array.from({ length: NODES - 1 }, (_, index) =>
      chain.terms({ nodeId: childPath(1n, index + 2), worker: helper, amount: 10_000n }),
    );
    await chain.subcontractMany(large, children, worker.wallet);
    const small = await market.hired(buyer, worker);
    const indexer = app.get(IndexerService);
    const head = await chain.anvil.blockNumber();
    while ((app.indexerStatus.indexedBlock ?? -1) < head) {
      await indexer.advance();
      await indexer.poll();
    }
    // All other trees are shown up to the newest block, whether or not the large one is shown by then.
    expect(await market.nodeStates(small.taskId)).toEqual({ 1: 'funded' });
    await eventually(async () => {
      await app.index();
      return Object.keys(await market.nodeStates(large.taskId)).length === NODES;
    }, 100_000);
    expect(await dataSource.query('SELECT * FROM unpublished_trees')).toEqual([]);
    const [root] = await dataSource.query(
      `SELECT pool, allocated FROM escrow_nodes WHERE task_id = $1 AND path = '1'`,
      [large.taskId],
    );
    expect(root).toEqual({ pool: '100000000', allocated: String(10_000n * BigInt(NODES - 1)) });
  } finally {
    await app.close();
    await dataSource.destroy();
    await chain.stop();
  }
});
