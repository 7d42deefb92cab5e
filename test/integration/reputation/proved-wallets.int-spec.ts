import { AccountWalletEntity } from '../../../src/modules/accounts/wallets/account-wallet.entity.js';
import { MARK_CHANGED_WALLETS } from '../../../src/modules/reputation/evidence/wallets/changed-wallets.sql.js';
import { NOW } from '../../support/market-rows.js';
import { PlannedStatement } from '../../support/query-plan.js';
import { accountOf, agentOf, TrustMarket, walletOf } from './trust-market.js';
import { vacuumed } from '../../support/vacuumed.js';

/** What a proof of a wallet changes about payments that were counted before it. */

let market: TrustMarket;
const WALLET = walletOf('proved');

beforeEach(async () => {
  market = await TrustMarket.create();
  await market.people('prover', 'thief', 'other');
});
afterEach(() => market.close());

const prove = (account: string, address = WALLET) => {
  const row = { address, chainId: '0', accountId: accountOf(account), linkedAt: new Date(NOW), unlinkAt: null };
  return market.side.insert(AccountWalletEntity, row);
};
const claim = (account: string) =>
  market.side.agent(agentOf(`${account}_claim`), accountOf(account), { walletAddress: WALLET });
const payFromWallet = (worker: string) => market.pay('x', worker, 5, { payerAccountId: null, payerWallet: WALLET });
const evidence = () =>
  market.query('SELECT agent_id, buyer_cluster_id, settlements FROM buyer_evidence ORDER BY agent_id');
const waiting = () => market.query('SELECT address FROM changed_wallets');

/** Runs, and expects what a count of all settlements finds. */
async function expectAfterRun(rows: unknown[]): Promise<void> {
  await market.run();
  expect(await evidence()).toEqual(rows);
  expect(await waiting()).toEqual([]);
  await market.rebuild();
  expect(await evidence()).toEqual(rows);
}

const BY_WALLET = { agent_id: agentOf('prover'), buyer_cluster_id: `wallet_${WALLET}`, settlements: 1 };
const ASSIGN = 'UPDATE accounts SET wallet_address = $1 WHERE id = $2';

it.each([
  ['its owner proves', () => prove('prover')],
  ['the operator assigns to another', () => market.query(ASSIGN, [WALLET, accountOf('prover')])],
])('a wallet that %s makes what it paid to one who claims it others’ money', async (_, change) => {
  await claim('thief');
  await payFromWallet('thief');
  await payFromWallet('thief');
  await market.pay('other', 'prover');
  const others = { agent_id: agentOf('prover'), buyer_cluster_id: accountOf('other'), settlements: 1 };
  expect(await evidence()).toEqual([others]);
  await change();
  await expectAfterRun([others, { agent_id: agentOf('thief'), buyer_cluster_id: accountOf('prover'), settlements: 2 }]);
});

it('what two paid each other who claimed a wallet is others’ money once one has proved it, and not before', async () => {
  await claim('prover');
  await claim('thief');
  await market.pay('prover', 'thief');
  await market.pay('thief', 'prover');
  expect(await evidence()).toEqual([]);
  await prove('prover');
  await expectAfterRun([
    { agent_id: agentOf('prover'), buyer_cluster_id: accountOf('thief'), settlements: 1 },
    { agent_id: agentOf('thief'), buyer_cluster_id: accountOf('prover'), settlements: 1 },
  ]);
});

it('what a wallet paid to its prover is others’ money once its proof is removed', async () => {
  await prove('prover');
  await payFromWallet('prover');
  expect(await evidence()).toEqual([]);
  await market.query('DELETE FROM account_wallets');
  await expectAfterRun([BY_WALLET]);
});

it('a wallet that nobody claims and that paid nobody concerns nobody', async () => {
  await claim('prover');
  await prove('prover');
  expect(await waiting()).toEqual([]);
});

it('the agents are found by indexes, also where many settled with many', async () => {
  await claim('thief');
  await payFromWallet('thief');
  await payFromWallet('other');
  await market.query(`INSERT INTO settlements
    SELECT made.* FROM settlements own, generate_series(1, 20000) AS n, jsonb_populate_record(own, jsonb_build_object(
      'node_id', 'node_of_' || n, 'payer_wallet', '0xp' || n % 5000, 'worker_account_id', 'acct_w' || n % 5000,
      'agent_id', 'agent_w' || n % 5000)) AS made WHERE own.agent_id = '${agentOf('thief')}'`);
  await market.query(`INSERT INTO accounts
    SELECT made.* FROM accounts own, generate_series(1, 5000) AS n, jsonb_populate_record(own, jsonb_build_object(
      'id', 'acct_w' || n, 'wallet_address', '0xw' || n)) AS made WHERE own.id = '${accountOf('other')}'`);
  await market.query(`INSERT INTO agents
    SELECT made.* FROM agents own, generate_series(1, 5000) AS n, jsonb_populate_record(own, jsonb_build_object(
      'id', 'agent_w' || n, 'account_id', 'acct_w' || n, 'wallet_address', '0xw' || n, 'number', 10000 + n)) AS made
    WHERE own.id = '${agentOf('other')}'`);
  await prove('prover');
  await vacuumed(market.side.dataSource);
  const statement = await PlannedStatement.prepare(market.side.dataSource, MARK_CHANGED_WALLETS.text);
  const plan = await statement.measure([100]);
  await statement.close();
  for (const table of ['settlements', 'agents']) expect(plan.scanned).not.toContain(table);
  expect(plan.buffers).toBeLessThan(500);
});
