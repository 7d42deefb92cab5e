import type { HDNodeWallet } from 'ethers';
import type { DataSource } from 'typeorm';
import { EMPTY_REQUEST_DIGEST, type Hex } from '../../../libs/kernel/src/index.js';
import { IndexerService } from '../../../src/modules/escrow/indexer/indexer.service.js';
import { PreparedActionsService } from '../../../src/modules/prepared-actions/prepared-actions.service.js';
import { SubmissionsService } from '../../../src/modules/prepared-actions/lifecycle/submissions.service.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { ChainMarket } from '../../support/chain-market.js';
import { createMigratedDatabase } from '../../support/database.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

let chain: ChainMarket;
let dataSource: DataSource;
let app: TestService;
let key: HDNodeWallet;
let wallet: Hex;
let buyer: string;

beforeAll(async () => {
  chain = await ChainMarket.start();
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  app = await TestService.start(database.url, { rpcUrl: chain.anvil.url, escrowFactoryAddress: chain.factory });
  key = chain.wallet();
  wallet = await chain.contractWallet(key);
  buyer = await new MarketRows(dataSource).account('buyer', wallet);
});
afterAll(async () => {
  await app?.close();
  await dataSource?.destroy();
  await chain?.stop();
});

/** A new task of the contract wallet, whose payload `signer` has signed. */
async function handedIn(signer: HDNodeWallet) {
  const intent = { accountId: buyer, walletAddress: wallet, requestDigest: EMPTY_REQUEST_DIGEST };
  const draft = { brief: 'Translate.', budget: 5_000_000n, selectionMode: 'manual' as const };
  const action = await app.get(PreparedActionsService).prepare('create_task', intent, { draft });
  const { domain, types, message } = action.payload as any;
  const { EIP712Domain: _domain, ...own } = types;
  const signature = (await signer.signTypedData(domain, own, message)) as Hex;
  const principal = {
    accountId: buyer,
    walletAddress: wallet,
    credentialId: 'key_1',
    scopes: ['buyer'],
    pinnedVersion: '2026-11-20',
  };
  return app.get(SubmissionsService).submitSignature(principal, action.action_id, signature);
}

describe('a task of a wallet that is a contract (ERC-1271)', () => {
  it('is opened by what the contract accepts, and mined as anybody sends it', async () => {
    const action = (await handedIn(key)) as any;
    const find = () => dataSource.manager.findOneByOrFail(TaskEntity, { id: action.task_id });
    expect(await find()).toMatchObject({ status: 'open', chainStatus: null, buyerWallet: wallet });
    await chain.send(action.transaction.to, action.transaction.data);
    while ((await app.get(IndexerService).advance()) === 'again');
    expect(await find()).toMatchObject({ status: 'open', chainStatus: 'open' });
  });

  it('is not opened by another key', async () => {
    await expect(handedIn(chain.wallet())).rejects.toMatchObject({ code: 'wallet_mismatch' });
  });
});
