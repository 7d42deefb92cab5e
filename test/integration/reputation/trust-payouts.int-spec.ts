import { Interface } from 'ethers';
import { localUsdcAbi } from '../../../libs/contracts/src/index.js';
import { ReputationRecordEntity } from '../../../src/modules/reputation/reputation-record.entity.js';
import { PayoutScan } from '../../../src/modules/reputation/payouts/payout-scan.js';
import { TrustRuns } from '../../../src/modules/reputation/runs/trust-runs.js';
import { VerifiedBuyerEntity } from '../../../src/modules/reputation/runs/verified-buyer.entity.js';
import type { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../src/platform/chain/rpc/chain-unavailable.error.js';
import type { UsdcToken } from '../../../src/platform/chain/usdc-token.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { ChainMarket } from '../../support/chain-market.js';
import { createMigratedDatabase } from '../../support/database.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { type HiredTree, IndexedMarket, type Party } from '../../support/indexed-market.js';
import { copyOwnRecords, derivedState } from '../../support/derived-state.js';
import { TestService } from '../../support/test-service.js';
import { RpcProxy } from '../../support/rpc-proxy.js';

const USDC = 1_000_000n;
/** Number of blocks above a transfer that make it final. */
const FINAL = 64;
const token = new Interface(localUsdcAbi);

const fixture = new IndexFixture();
let chain: ChainMarket;
let market: IndexedMarket;
let app: TestService;
let buyer: Party;
let worker: Party;
let other: Party;

beforeEach(async () => {
  ({ chain, market, buyer, worker, other } = fixture);
  app = await fixture.open();
});

const run = (of: TestService = app): Promise<void> => of.get(TrustRuns).run(new AbortController().signal);
const record = (who: Party) => market.dataSource.manager.findOneBy(ReputationRecordEntity, { agentId: who.agentId });
const clusters = () => market.dataSource.query('SELECT account_id, cluster_id FROM account_clusters');

/** A job that was done, accepted and paid out to the worker's wallet. */
async function paid(from: Party, to: Party, amount = 100n * USDC): Promise<HiredTree> {
  const tree = await market.hired(from, to, amount);
  await chain.deliver(tree, 1n, to.wallet);
  await chain.resolve(tree, tree.root, from.wallet);
  await chain.withdrawEarnings(tree, 1n, amount, to.wallet);
  return tree;
}

async function send(from: Party, to: Party, amount: bigint): Promise<void> {
  await chain.giveEther(from.wallet.address);
  await chain.sendFrom(from.wallet, chain.usdc, token.encodeFunctionData('transfer', [to.wallet.address, amount]));
}

describe('earnings that go to the buyer', () => {
  it('make one principal of the two when they are at least half of what it has paid, and final', async () => {
    await paid(buyer, worker);
    await send(worker, buyer, 50n * USDC);
    await app.index();
    await run();
    expect(await clusters()).toEqual([]);
    await chain.anvil.mine(FINAL);
    await run();
    expect(await clusters()).toHaveLength(1);
    expect(await record(worker)).toMatchObject({ settlements: 0, settledValue: 0n, score: '0.8000' });
    // The transfer is read once, however often the run is repeated.
    await run();
    const [sent] = await market.dataSource.query('SELECT amount FROM payout_transfers');
    expect(sent.amount).toBe(String(50n * USDC));

    await paid(buyer, other, 300n * USDC);
    await app.index();
    await run();
    expect(await clusters()).toEqual([]);
    expect(await record(worker)).toMatchObject({ settlements: 1, settledValue: 100n * USDC });
  });

  it('join nobody when they are little: a gift is no way into a trusted cluster', async () => {
    await paid(buyer, worker);
    await send(worker, buyer, 49n * USDC);
    await chain.anvil.mine(FINAL);
    await app.index();
    await run();
    expect(await clusters()).toEqual([]);
  });

  it('join nobody to a verified buyer, whatever they are', async () => {
    await paid(buyer, worker);
    await send(worker, buyer, 90n * USDC);
    await chain.anvil.mine(FINAL);
    await app.index();
    await market.dataSource.manager.insert(VerifiedBuyerEntity, {
      accountId: buyer.accountId,
      verifiedAt: new Date(),
    });
    await run();
    expect(await clusters()).toEqual([]);
    expect(await record(worker)).toMatchObject({ settlements: 1, independentBuyers: 1 });
  });
});

describe('a chain that is away', () => {
  it('fails the run and leaves the result of the one before, until it is back', async () => {
    const proxy = await RpcProxy.start(chain.anvil.url);
    const second = await TestService.start(fixture.databaseUrl, { ...market.connection, rpcUrl: proxy.url });
    try {
      await paid(buyer, worker);
      await second.index();
      await run(second);
      await send(worker, buyer, 60n * USDC);
      await chain.anvil.mine(FINAL);
      const before = await derivedState(market.dataSource);
      proxy.mode = 'refuse';
      await expect(run(second)).rejects.toMatchObject({ name: 'ChainUnavailableError' });
      const [last] = await market.dataSource.query('SELECT status, error FROM trust_runs ORDER BY id DESC LIMIT 1');
      expect(last.status).toBe('failed');
      expect(last.error).not.toContain(proxy.url);
      expect(await derivedState(market.dataSource)).toEqual(before);
      proxy.mode = 'pass';
      await run(second);
      expect(await clusters()).toHaveLength(1);
    } finally {
      await second.close();
      await proxy.stop();
    }
  }, 240_000);

  it('only for large ranges is read in smaller ones', async () => {
    const proxy = await RpcProxy.start(chain.anvil.url);
    const second = await TestService.start(fixture.databaseUrl, { ...market.connection, rpcUrl: proxy.url });
    try {
      await paid(buyer, worker);
      await send(worker, buyer, 60n * USDC);
      await chain.anvil.mine(FINAL);
      await second.index();
      proxy.tamper = ({ method, params }, answer) => {
        const filter = params[0] as { address?: string; fromBlock?: string; toBlock?: string };
        if (method !== 'eth_getLogs' || filter.address === undefined) return answer;
        if (Number(filter.toBlock) - Number(filter.fromBlock) < 20) return answer;
        return { jsonrpc: '2.0', id: answer.id, error: { code: -32005, message: 'too many results' } };
      };
      await run(second);
      expect(await clusters()).toHaveLength(1);
    } finally {
      await second.close();
      await proxy.stop();
    }
  }, 240_000);
});

describe('wallets that are paid for the first time', () => {
  it('hold up no other in a long history, however many come', async () => {
    await paid(buyer, worker);
    const head = 10_000_000;
    const read: number[] = [];
    const transfersFrom = (_: readonly string[], { toBlock }: { toBlock: number }) => {
      read.push(toBlock);
      return Promise.resolve([]);
    };
    const scan = new PayoutScan(
      app.get(Environment),
      app.get(Transactions),
      { blockNumber: () => Promise.resolve(head) } as unknown as ChainClient,
      { transfersFrom } as unknown as UsdcToken,
    );
    await app.index();
    for (let round = 0; round < 12 && Math.max(0, ...read) < head - FINAL; round += 1) {
      // Of blocks that nobody reads: a wallet that is paid for the first time begins at the market's first one.
      await market.dataSource.query('INSERT INTO payout_wallets (address, scanned_to) VALUES ($1, -1)', [`0x${round}`]);
      await scan.follow(new AbortController().signal);
    }
    expect(Math.max(...read)).toBe(head - FINAL);
  });
});

describe('an endpoint that refuses transfers while it tells its height', () => {
  const HEAD = 100_000;
  const POISON = '0xF';
  const wallets = ['0xA', '0xB', '0xC', '0xD', '0xE', POISON];
  /** True for a request that the endpoint refuses. */
  let refuses: (senders: readonly string[], blocks: number) => boolean;
  let scan: PayoutScan;
  let questions: number;

  beforeEach(async () => {
    questions = 0;
    const transfersFrom = (
      senders: readonly string[],
      { fromBlock, toBlock }: { fromBlock: number; toBlock: number },
    ) => {
      questions += 1;
      const isRefused = refuses(senders, toBlock - fromBlock + 1);
      return isRefused ? Promise.reject(new ChainUnavailableError(new Error('too much'))) : Promise.resolve([]);
    };
    scan = new PayoutScan(
      app.get(Environment),
      app.get(Transactions),
      { blockNumber: () => Promise.resolve(HEAD) } as unknown as ChainClient,
      { transfersFrom } as unknown as UsdcToken,
    );
    const add = 'INSERT INTO payout_wallets (address, scanned_to) SELECT unnest($1::text[]), -1';
    await market.dataSource.query(add, [wallets]);
  });
  const follow = () => scan.follow(new AbortController().signal);
  const behind = async (): Promise<string[]> => {
    const text = 'SELECT address FROM payout_wallets WHERE scanned_to < $1 AND address = ANY($2) ORDER BY address';
    const rows = await market.dataSource.query<{ address: string }[]>(text, [HEAD - FINAL, wallets]);
    return rows.map(({ address }) => address);
  };

  it('of one wallet reads those of all others, and those of that one once it may', async () => {
    refuses = (senders) => senders.includes(POISON);
    await follow();
    expect(await behind()).toEqual([POISON]);
    refuses = () => false;
    await follow();
    expect(await behind()).toEqual([]);
  });

  it('of many wallets at once is asked for fewer, without asking much more often', async () => {
    refuses = (senders) => senders.length > 2;
    await follow();
    expect(await behind()).toEqual([]);
    expect(questions).toBeLessThan(100);
  });

  it('of every wallet fails the run as if it were away, and is asked in large ranges again when it answers', async () => {
    refuses = () => true;
    await expect(follow()).rejects.toMatchObject({ name: 'ChainUnavailableError' });
    await expect(follow()).rejects.toMatchObject({ name: 'ChainUnavailableError' });
    refuses = () => false;
    questions = 0;
    await follow();
    expect(await behind()).toEqual([]);
    expect(questions).toBeLessThan(100);
  });
});

describe('a reorganisation that removes settlements', () => {
  it('leaves the reputation of a rebuild from scratch, and so after a run on both', async () => {
    jest.spyOn(app.get(Clock), 'now').mockReturnValue(new Date('2030-01-01T00:00:00.000Z'));
    const verified = { accountId: buyer.accountId, verifiedAt: new Date() };
    await market.dataSource.manager.insert(VerifiedBuyerEntity, verified);
    await paid(buyer, worker);
    await app.index();
    await run();
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    const height = await chain.anvil.blockNumber();
    await paid(other, worker, 80n * USDC);
    await paid(worker, buyer, 30n * USDC);
    const failed = await market.hired(buyer, worker, 20n * USDC);
    await chain.abandon(failed, failed.root, worker.wallet);
    await app.index();
    expect(await record(worker)).toMatchObject({ settlements: 3, buyers: 2, pendingBuyers: 1 });
    await run();
    expect(await record(worker)).toMatchObject({ settlements: 3, buyers: 2, pendingBuyers: 0 });

    const removed = (await chain.anvil.blockNumber()) - height;
    await chain.anvil.rpc('evm_revert', snapshot);
    await paid(worker, buyer, 10n * USDC);
    await chain.anvil.mine(removed);
    await app.index();
    expect(await record(worker)).toMatchObject({ settlements: 1, settledValue: 100n * USDC });

    const { url, dataSource } = await createMigratedDatabase();
    await copyOwnRecords(market.dataSource, dataSource);
    await dataSource.manager.insert(VerifiedBuyerEntity, verified);
    const scratch = await TestService.start(url, market.connection);
    try {
      jest.spyOn(scratch.get(Clock), 'now').mockReturnValue(new Date('2030-01-01T00:00:00.000Z'));
      await scratch.index();
      const evidence = async (of: typeof dataSource) => {
        const { payouts, settlements, evidence: rows } = await derivedState(of);
        return { payouts, settlements, rows };
      };
      expect(await evidence(market.dataSource)).toEqual(await evidence(dataSource));
      await run();
      await run(scratch);
      expect(await derivedState(market.dataSource)).toEqual(await derivedState(dataSource));
      const seen = 'SELECT * FROM buyer_independence ORDER BY cluster_id';
      expect(await market.dataSource.query(seen)).toEqual(await dataSource.query(seen));
    } finally {
      await scratch.close();
      await dataSource.destroy();
    }
  }, 240_000);
});
