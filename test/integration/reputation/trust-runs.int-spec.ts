import { AgentEntity } from '../../../src/modules/agents/agent/agent.entity.js';
import { BuyerIndependenceEntity } from '../../../src/modules/reputation/evidence/buyer-independence.entity.js';
import { VerifiedBuyerEntity } from '../../../src/modules/reputation/runs/verified-buyer.entity.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { AccountWalletEntity } from '../../../src/modules/accounts/wallets/account-wallet.entity.js';
import { NOW } from '../../support/market-rows.js';
import { accountOf, agentOf, TrustMarket, walletOf } from './trust-market.js';

let market: TrustMarket;

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.parse(NOW) - days * DAY_MS);

beforeEach(async () => {
  market = await TrustMarket.create();
});
afterEach(() => market.close());

const independence = async (name: string): Promise<number | undefined> =>
  (await market.side.dataSource.manager.findOneBy(BuyerIndependenceEntity, { clusterId: accountOf(name) }))
    ?.independence;

/** Buyers `b1` to `b4` and workers `w1` to `w4`, who all trade with each other honestly; `b1` to `b3` are verified. */
async function honestMarket(): Promise<void> {
  const numbers = [1, 2, 3, 4];
  await market.people(...numbers.map((n) => `b${n}`), ...numbers.map((n) => `w${n}`));
  const work = numbers.flatMap((b) => numbers.map((w) => market.settlement(`b${b}`, `w${w}`, 100 + 10 * b + w)));
  await market.settle(...work);
}

describe('a settlement', () => {
  it('counts at once and for its pair only, as if everything were counted anew', async () => {
    await honestMarket();
    await market.pay('b1', 'w1', 40, { outcome: 'abandoned', released: 0n, settledAt: ago(0.5) });
    const kept = await market.derived();
    await market.rebuild();
    expect(await market.derived()).toEqual(kept);
  });

  it('that a reorganisation takes away leaves what was there before it, and takes back what it netted', async () => {
    await honestMarket();
    const before = await market.derived();
    const sendsBack = market.settlement('w1', 'b1', 60);
    const other = market.settlement('b2', 'w1', 500, { settledAt: ago(0.1) });
    await market.settle(sendsBack, other);
    const between = await market.record('w1');
    expect(between?.independentValue).toBe((111n + 121n + 131n + 141n + 500n - 60n) * 1_000_000n);
    await market.undo(sendsBack, other);
    expect(await market.derived()).toEqual(before);
  });

  it('between wallets of one owner counts for nothing before any run knows of it', async () => {
    await market.people('owner', 'second', 'outsider');
    await market.side.insert(AccountWalletEntity, {
      address: walletOf('second'),
      chainId: '0',
      accountId: accountOf('owner'),
      linkedAt: new Date(NOW),
    });
    await market.pay('second', 'owner', 5_000);
    expect(await market.record('owner')).toMatchObject({
      score: '0.8000',
      settledValue: 0n,
      settlements: 0,
      buyers: 0,
    });
    await market.pay('outsider', 'owner', 10);
    expect(await market.record('owner')).toMatchObject({ settledValue: 10_000_000n, settlements: 1, buyers: 1 });
  });

  it('from a wallet that belongs to nobody is of a buyer of its own', async () => {
    await market.people('w');
    const from = (payerWallet: string) => market.settlement('x', 'w', 50, { payerAccountId: null, payerWallet });
    await market.settle(from(walletOf('one')), from(walletOf('two')), from(walletOf('w')));
    expect(await market.record('w')).toMatchObject({ buyers: 2, settlements: 2, settledValue: 100_000_000n });
  });
});

describe('an agent with another wallet', () => {
  /** Changes the agent's wallet in one transaction, as AgentsService does. */
  const moveTo = (wallet: string): Promise<void> =>
    market.side.transactions.run(async (manager) => {
      await manager.update(AgentEntity, { id: agentOf('w1') }, { walletAddress: wallet });
      await market.service.noteNewWallet(manager, agentOf('w1'));
    });
  const parts = async () => {
    const record = await market.record('w1');
    return { career: record?.careerScore, recent: record?.recentScore, value: record?.settledValue };
  };

  it('keeps its career and begins its recent work anew, with the next run', async () => {
    await honestMarket();
    await market.verify('b1', 'b2', 'b3');
    await market.run();
    const before = await parts();
    expect(Number(before.recent)).toBeGreaterThan(0.9);
    await moveTo(walletOf('w1 sold'));
    await market.run();
    expect(await parts()).toEqual({ ...before, recent: '0.8000' });
    const kept = await market.derived();
    await market.rebuild();
    expect(await market.derived()).toEqual(kept);
    await moveTo(walletOf('w1'));
    await market.run();
    expect(await parts()).toEqual(before);
  });

  it('is counted anew with its next settlement, of which only work for the new wallet is recent', async () => {
    await honestMarket();
    const { value } = await parts();
    await moveTo(walletOf('w1 sold'));
    await market.pay('b1', 'w1', 50, { settledAt: ago(0.5) });
    expect(await parts()).toMatchObject({ recent: '0.8000', value: (value ?? 0n) + 50_000_000n });
    await market.pay('b1', 'w1', 50, { settledAt: ago(0.4), workerWallet: walletOf('w1 sold') });
    expect(Number((await parts()).recent)).toBeGreaterThan(0.8);
    const kept = await market.derived();
    await market.rebuild();
    expect(await market.derived()).toEqual(kept);
  });

  it('that has settled nothing has nothing to count', async () => {
    await market.people('w1');
    await moveTo(walletOf('other'));
    expect(await market.query('SELECT * FROM evidence_changes')).toEqual([]);
  });
});

describe('a run', () => {
  it('without verified buyers tells nobody apart: confidence stays at the cap, nobody is pending', async () => {
    await honestMarket();
    const records = await market.query('SELECT agent_id, score, independence_confidence FROM reputation_records');
    await market.run();
    expect(await market.lastRun()).toMatchObject({ status: 'finished', anchors: 0, principals: 8, edges: 16 });
    expect(await market.query('SELECT * FROM buyer_independence')).toEqual([]);
    for (const name of ['w1', 'w2', 'w3', 'w4']) {
      expect(await market.record(name)).toMatchObject({ independenceConfidence: '0.5000', pendingBuyers: 0 });
    }
    expect(records).toHaveLength(4);
  });

  it('with verified buyers finds those whom money joins to them, and nobody else', async () => {
    await honestMarket();
    await market.people('mole', 'sybil1', 'sybil2', 'sybil3');
    for (const sybil of ['sybil1', 'sybil2', 'sybil3']) await market.pay(sybil, 'mole', 20_000);
    const washed = await market.record('mole');
    expect(washed?.independenceConfidence).toBe('0.5000');
    await market.verify('b1', 'b2', 'b3');
    await market.run();
    expect(await independence('b4')).toBeGreaterThan(0.5);
    expect(await independence('sybil1')).toBe(0);
    const honest = await market.record('w1');
    expect(Number(honest?.independenceConfidence)).toBeGreaterThan(0.5);
    expect(honest).toMatchObject({ independentBuyers: 4, pendingBuyers: 0 });
    expect(await market.record('mole')).toMatchObject({
      independenceConfidence: '0.0000',
      independentValue: 0n,
      independentBuyers: 0,
      settledValue: 60_000_000_000n,
      score: '0.8000',
    });
  });

  it('makes a ring of buyers and workers worth nothing, and what is paid to and fro no money at all', async () => {
    await honestMarket();
    const ring = ['r1', 'r2', 'r3', 'r4', 'r5'];
    await market.people(...ring, 'ping', 'pong');
    for (const [index, name] of ring.entries()) await market.pay(name, ring[(index + 1) % ring.length]!, 9_000);
    await market.pay('ping', 'pong', 9_000);
    await market.pay('pong', 'ping', 9_000);
    await market.verify('b1', 'b2', 'b3');
    await market.run();
    for (const name of [...ring, 'ping', 'pong']) {
      expect(await market.record(name)).toMatchObject({ independenceConfidence: '0.0000', independentValue: 0n });
    }
  });

  it('leaves a buyer who comes after it pending until the next', async () => {
    await honestMarket();
    await market.verify('b1', 'b2', 'b3');
    await market.run();
    await market.people('late');
    const before = await market.record('w1');
    await market.pay('late', 'w1', 300);
    expect(await market.record('w1')).toMatchObject({
      pendingBuyers: 1,
      buyers: 5,
      independentValue: before?.independentValue,
    });
    await market.run();
    expect(await market.record('w1')).toMatchObject({ pendingBuyers: 0, buyers: 5 });
    expect(Number((await market.record('w1'))?.independentValue)).toBeGreaterThan(Number(before?.independentValue));
  });

  it('joins accounts that share a wallet, parts them when they do not any more, and the evidence follows', async () => {
    await honestMarket();
    const alone = await market.derived();
    const shared = { address: walletOf('b4'), chainId: '0', accountId: accountOf('w1'), linkedAt: new Date(NOW) };
    await market.side.insert(AccountWalletEntity, shared);
    await market.run();
    expect(await market.query('SELECT * FROM account_clusters')).toEqual([
      { account_id: accountOf('w1'), cluster_id: accountOf('b4') },
    ]);
    expect(await market.record('w1')).toMatchObject({ buyers: 3, settlements: 3 });
    const joined = await market.derived();
    await market.rebuild();
    expect(await market.derived()).toEqual(joined);

    await market.side.dataSource.manager.delete(AccountWalletEntity, { address: shared.address });
    await market.run();
    const { evidence, clusters } = await market.derived();
    expect({ evidence, clusters }).toEqual({ evidence: alone.evidence, clusters: [] });
    expect(await market.record('w1')).toMatchObject({ buyers: 4, settlements: 4 });
  });

  it('lets a claimed wallet join nobody to the one who has proved it', async () => {
    await honestMarket();
    await market.people('thief');
    await market.query('UPDATE agents SET wallet_address = $1 WHERE id = $2', [walletOf('b1'), agentOf('thief')]);
    await market.verify('b1', 'b2', 'b3');
    await market.run();
    expect(await market.query('SELECT * FROM account_clusters')).toEqual([]);
  });

  it.each([
    ['few', 0],
    ['many', 40],
  ])('counts what the prover of a wallet pays to one of %s who claims it as others’ money', async (_, more) => {
    await market.people('b1', 'b2', 'thief');
    await market.query('UPDATE agents SET wallet_address = $1 WHERE id = $2', [walletOf('b1'), agentOf('thief')]);
    // The buyer claims one of its own wallets too, beside one that a third has proved.
    const claims = ['b1', 'b1', 'b2', ...Array.from({ length: more }, (_one, n) => `w${n}`)];
    for (const [n, name] of claims.entries())
      await market.side.agent(agentOf(`b1_${n}`), accountOf('b1'), { walletAddress: walletOf(name) });
    await market.side.agent(agentOf('thief_2'), accountOf('thief'), { walletAddress: walletOf('b2') });
    const paid = [{ agent_id: agentOf('thief'), buyer_cluster_id: accountOf('b1'), settlements: 2 }];
    const evidence = () => market.query('SELECT agent_id, buyer_cluster_id, settlements FROM buyer_evidence');
    await market.pay('b1', 'thief');
    await market.pay('b1', 'thief');
    expect(await evidence()).toEqual(paid);
    await market.rebuild();
    expect(await evidence()).toEqual(paid);
    // What nobody has proved is still one owner's.
    await market.side.agent(agentOf('thief_3'), accountOf('thief'), { walletAddress: walletOf('zz') });
    await market.side.agent(agentOf('b1_zz'), accountOf('b1'), { walletAddress: walletOf('zz') });
    await market.rebuild();
    expect(await evidence()).toEqual([]);
    await market.pay('b1', 'thief');
    expect(await evidence()).toEqual([]);
  });

  it('finds the same to the last digit in whatever order the settlements were written', async () => {
    const other = await TrustMarket.create();
    try {
      const names = [1, 2, 3, 4, 5, 6].flatMap((n) => [`b${n}`, `w${n}`]);
      for (const each of [market, other]) await each.people(...names);
      // Some buyers are workers too, so that money passes through several hands.
      const deals = names.flatMap((buyer, i) =>
        [1, 3, 4].map((step, j) => {
          const worker = names[(i + step) % names.length]!;
          return market.settlement(buyer, worker, 20 + ((i * 37 + j * 61) % 97), { settledAt: ago(1 + i / 10) });
        }),
      );
      for (const deal of deals) await market.settle(deal);
      for (const deal of deals.toReversed()) await other.settle(deal);
      for (const each of [market, other]) {
        await each.verify('b1', 'b2', 'w6');
        await each.run();
      }
      const made = await market.derived();
      expect(made.independence).toHaveLength(names.length);
      expect(await other.derived()).toEqual(made);
      await other.rebuild();
      await other.run();
      expect(await other.derived()).toEqual(made);
    } finally {
      await other.close();
    }
  });

  it('run twice changes nothing', async () => {
    await honestMarket();
    await market.verify('b1', 'b2', 'b3');
    await market.run();
    const first = await market.derived();
    await market.run();
    expect(await market.derived()).toEqual(first);
  });

  it('counts what was settled before there was evidence, a few agents at a time', async () => {
    await honestMarket();
    const counted = await market.derived();
    await market.query('DELETE FROM buyer_evidence');
    await market.query('UPDATE evidence_changes SET must_rebuild = true');
    await market.pay('b1', 'w1', 1, { settledAt: ago(2) });
    expect(await market.record('w1')).toMatchObject({ buyers: 4, settlements: 5 });
    await market.run();
    expect(await market.query('SELECT count(*)::integer AS n FROM buyer_evidence')).toEqual([
      { n: counted.evidence?.length },
    ]);
    const kept = await market.derived();
    await market.rebuild();
    expect(await market.derived()).toEqual(kept);
  });

  it('refreshes records to its time, so that old work fades without new work', async () => {
    await market.people('b', 'w');
    await market.pay('b', 'w');
    const fresh = await market.record('w');
    market.side.clock.set('2027-11-20T12:00:00.000Z');
    await market.run();
    const faded = await market.record('w');
    expect(Number(faded?.score)).toBeLessThan(Number(fresh?.score));
    expect(faded?.updatedAt).toEqual(fresh?.updatedAt);
    await market.pay('b', 'w', 1, { settledAt: ago(3) });
    const kept = await market.derived();
    await market.rebuild();
    expect(await market.derived()).toEqual(kept);
  });
});

describe('a settlement in the middle of a run', () => {
  it('is in the record when the run has been written', async () => {
    await honestMarket();
    await market.verify('b1', 'b2', 'b3');
    const runner = market.side.dataSource.createQueryRunner();
    await runner.startTransaction();
    // The run has read the market and waits to write.
    await runner.query('SELECT pg_advisory_xact_lock(31324, 15937)');
    const run = market.run();
    await waiting();
    await runner.query(`INSERT INTO settlements SELECT 'node_x', task_id, agent_id, worker_account_id, payer_account_id,
      amount, 7, outcome, settled_at, payer_wallet, worker_wallet FROM settlements ORDER BY node_id LIMIT 1`);
    const written = await runner.manager.findBy(SettlementEntity, { nodeId: 'node_x' });
    await market.service.settle(runner.manager, written);
    await runner.commitTransaction();
    await runner.release();
    await run;
    expect(await market.lastRun()).toMatchObject({ status: 'finished', anchors: 3 });
    const kept = await market.derived();
    await market.rebuild();
    expect(await market.derived()).toEqual(kept);
  });

  /** Waits until the run's connection waits for a lock. */
  async function waiting(): Promise<void> {
    for (let look = 0; look < 500; look += 1) {
      const rows = await market.query(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tasktree-trust-run' AND wait_event = 'advisory'`);
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('The run never came to writing');
  }
});

describe('a run that fails', () => {
  it('leaves the result of the one before, and says why; the next is made as if nothing had been', async () => {
    await honestMarket();
    await market.verify('b1', 'b2', 'b3');
    await market.run();
    const before = await market.derived();
    await market.side.dataSource.manager.delete(VerifiedBuyerEntity, { accountId: accountOf('b3') });
    await market.query('ALTER TABLE buyer_independence ADD CONSTRAINT broken CHECK (independence < 0) NOT VALID');
    await expect(market.run()).rejects.toThrow('broken');
    expect(await market.lastRun()).toMatchObject({ status: 'failed', error: expect.stringContaining('broken') });
    expect(market.status.lastError).toContain('broken');
    expect(await market.derived()).toEqual(before);
    await market.query('ALTER TABLE buyer_independence DROP CONSTRAINT broken');
    await market.run();
    expect(await market.lastRun()).toMatchObject({ status: 'finished', anchors: 2, phase: 'writing' });
    expect(market.status).toMatchObject({ lastError: null, phase: null });
  });

  it('because it is stopped has changed nothing', async () => {
    await honestMarket();
    const before = await market.derived();
    const stopping = new AbortController();
    const run = market.runs.run(stopping.signal);
    stopping.abort();
    await expect(run).rejects.toThrow('The service stops');
    expect(await market.derived()).toEqual(before);
    expect(await market.lastRun()).toMatchObject({ status: 'failed' });
  });

  it('and was cut off is marked so by the next', async () => {
    await market.query(
      `INSERT INTO trust_runs (as_of, started_at, status, phase) VALUES (now(), now(), 'running', 'walking')`,
    );
    await market.run();
    const runs = await market.query('SELECT status, error FROM trust_runs ORDER BY id');
    expect(runs).toEqual([
      { status: 'failed', error: 'The run was cut off' },
      { status: 'finished', error: null },
    ]);
  });
});

describe('the time of a run', () => {
  it('has come when none was made, when the interval is over, and when the verified buyers are others', async () => {
    await market.people('b', 'c');
    expect(await market.runs.isDue()).toBe(true);
    await market.run();
    expect(await market.runs.isDue()).toBe(false);
    await market.verify('b');
    expect(await market.runs.isDue()).toBe(true);
    await market.run();
    expect(await market.runs.isDue()).toBe(false);
    await market.side.dataSource.manager.delete(VerifiedBuyerEntity, { accountId: accountOf('b') });
    expect(await market.runs.isDue()).toBe(true);
    await market.run();
    await market.query(`UPDATE trust_runs SET started_at = started_at - interval '601 seconds'`);
    expect(await market.runs.isDue()).toBe(true);
  });
});
