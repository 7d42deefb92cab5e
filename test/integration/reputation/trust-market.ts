import type { PayoutScan } from '../../../src/modules/reputation/payouts/payout-scan.js';
import { ReputationRecordEntity } from '../../../src/modules/reputation/reputation-record.entity.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { ReputationService } from '../../../src/modules/reputation/reputation.service.js';
import { TrustRunEntity } from '../../../src/modules/reputation/runs/batch/trust-run.entity.js';
import { TrustRuns } from '../../../src/modules/reputation/runs/trust-runs.js';
import { TrustStatus } from '../../../src/modules/reputation/runs/trust-status.js';
import { TrustThread } from '../../../src/modules/reputation/runs/trust-thread.js';
import { VerifiedBuyerEntity } from '../../../src/modules/reputation/runs/verified-buyer.entity.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { addSettlements } from '../../../src/modules/reputation/settlements/settlement-rows.js';
import { AccountEntity } from '../../../src/modules/accounts/account.entity.js';
import { Sealer } from '../../../src/platform/secrets/sealer.js';
import { NOW, settlementRow, taskId } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

const DAY_MS = 86_400_000;
const USDC = 1_000_000n;

export const walletOf = (name: string): string => `0x${Buffer.from(name).toString('hex').padStart(40, '0').slice(-40)}`;
export const accountOf = (name: string): string => `acct_${name}`;
export const agentOf = (name: string): string => `agent_${name}`;

/** People who pay each other, with an account, a wallet and an agent each, written as the index would write them. */
export class TrustMarket {
  readonly service = new ReputationService(new Clock());
  readonly status = new TrustStatus();
  readonly runs: TrustRuns;
  private nodes = 0;

  private constructor(readonly side: ReadSide) {
    const { environment, transactions, clock } = side;
    // Transfers of payouts are read from a chain, which trust-payouts.int-spec.ts tests.
    const payouts = { follow: () => Promise.resolve() } as unknown as PayoutScan;
    this.runs = new TrustRuns(
      environment,
      transactions,
      clock,
      new Sealer(environment),
      payouts,
      new TrustThread(),
      this.status,
    );
  }

  static async create(): Promise<TrustMarket> {
    return new TrustMarket(await ReadSide.create());
  }

  close(): Promise<void> {
    return this.side.close();
  }

  query<Row = any>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.side.dataSource.query<Row[]>(text, values);
  }

  async people(...names: string[]): Promise<void> {
    for (const name of names) {
      const walletAddress = walletOf(name);
      const id = accountOf(name);
      await this.side.insert(AccountEntity, { id, name, walletAddress, createdAt: new Date(NOW) });
      await this.side.agent(agentOf(name), id, { walletAddress });
    }
  }

  /** A settlement by which `buyer` paid `worker`, not written yet. */
  settlement(buyer: string, worker: string, usdc = 100, change: Partial<SettlementEntity> = {}): SettlementEntity {
    this.nodes += 1;
    const amount = BigInt(usdc) * USDC;
    const own = {
      nodeId: `node_${String(this.nodes).padStart(6, '0')}`,
      taskId: taskId(1),
      agentId: agentOf(worker),
      workerAccountId: accountOf(worker),
      payerAccountId: accountOf(buyer),
      payerWallet: walletOf(buyer),
      workerWallet: walletOf(worker),
      amount,
      released: amount,
      settledAt: new Date(Date.parse(NOW) - DAY_MS),
      ...change,
    };
    return Object.assign(new SettlementEntity(), settlementRow(1, own));
  }

  /** Writes settlements with their evidence and records in one transaction, as the projection does. */
  settle(...settlements: SettlementEntity[]): Promise<void> {
    return this.side.transactions.run(async (manager) => {
      await addSettlements(manager, settlements);
      await this.service.settle(manager, settlements);
    });
  }

  pay(buyer: string, worker: string, usdc = 100, change: Partial<SettlementEntity> = {}): Promise<void> {
    return this.settle(this.settlement(buyer, worker, usdc, change));
  }

  /** Removes settlements, as a reorganisation does. */
  undo(...settlements: SettlementEntity[]): Promise<void> {
    return this.side.transactions.run(async (manager) => {
      for (const { nodeId } of settlements) await manager.delete(SettlementEntity, { nodeId });
      await this.service.settle(manager, [], settlements);
    });
  }

  /** Adds and removes settlements in one block, as a reorganisation may. */
  change(added: readonly SettlementEntity[], gone: readonly SettlementEntity[]): Promise<void> {
    return this.side.transactions.run(async (manager) => {
      for (const { nodeId } of gone) await manager.delete(SettlementEntity, { nodeId });
      await addSettlements(manager, added);
      await this.service.settle(manager, added, gone);
    });
  }

  async verify(...names: string[]): Promise<void> {
    for (const name of names) {
      await this.side.insert(VerifiedBuyerEntity, { accountId: accountOf(name), verifiedAt: new Date(NOW), note: '' });
    }
  }

  run(): Promise<void> {
    return this.runs.run(new AbortController().signal);
  }

  record(name: string): Promise<ReputationRecordEntity | null> {
    return this.side.dataSource.manager.findOneBy(ReputationRecordEntity, { agentId: agentOf(name) });
  }

  lastRun(): Promise<TrustRunEntity | null> {
    return this.side.dataSource.manager.findOne(TrustRunEntity, { where: {}, order: { id: 'DESC' } });
  }

  /** What trust has derived from the settlements: evidence, records, clusters and independence. */
  async derived(): Promise<Record<string, unknown[]>> {
    return {
      evidence: await this.query('SELECT * FROM buyer_evidence ORDER BY agent_id, buyer_cluster_id'),
      sums: await this.query('SELECT * FROM buyer_sums ORDER BY agent_id'),
      records: await this.query('SELECT * FROM reputation_records ORDER BY agent_id'),
      clusters: await this.query('SELECT * FROM account_clusters ORDER BY account_id'),
      independence: await this.query('SELECT * FROM buyer_independence ORDER BY cluster_id'),
    };
  }

  /** Deletes everything derived except the run, and derives it again from the settlements alone. */
  async rebuild(): Promise<void> {
    await this.query('DELETE FROM buyer_evidence');
    await this.query('DELETE FROM reputation_records');
    await this.query('DELETE FROM buyer_sums');
    await this.side.transactions.run(async (manager) => {
      const rows: { agent_id: string }[] = await manager.query('SELECT DISTINCT agent_id FROM settlements');
      await this.service.rebuild(
        manager,
        rows.map(({ agent_id }) => agent_id),
      );
    });
  }
}
