import type { Wallet } from 'ethers';
import type { DataSource } from 'typeorm';
import type { TypedData } from '../../libs/contracts/src/index.js';
import { EMPTY_REQUEST_DIGEST, type Hex } from '../../libs/kernel/src/index.js';
import type { ActionDto } from '../../src/modules/prepared-actions/dto/action.dto.js';
import type { PreparedActionDto } from '../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { SubmissionsService } from '../../src/modules/prepared-actions/lifecycle/submissions.service.js';
import { PreparedActionsService } from '../../src/modules/prepared-actions/prepared-actions.service.js';
import type { KindInputs, PreparableKind } from '../../src/modules/prepared-actions/registry/kind-registry.js';
import type { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import { TaskStore } from '../../src/modules/tasks/task-store.js';
import { ChainClient } from '../../src/platform/chain/chain-client.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { ChainMarket } from './chain-market.js';
import { createMigratedDatabase } from './database.js';
import { signTypedData } from './escrow-fixture.js';
import { MarketRows } from './market-rows.js';
import { TestService } from './test-service.js';

/** An account with its wallet, and the key that signs for it. */
export interface Trader {
  accountId: string;
  address: Hex;
  key: Wallet;
}

/** The whole service on its own chain and database, and accounts that prepare, sign and send actions. */
export class ActionFixture {
  readonly rows: MarketRows;

  constructor(
    readonly chain: ChainMarket,
    readonly dataSource: DataSource,
    readonly app: TestService,
  ) {
    this.rows = new MarketRows(dataSource);
  }

  static async start<Fixture extends ActionFixture>(
    this: new (chain: ChainMarket, dataSource: DataSource, app: TestService) => Fixture,
    own: Partial<Environment> = {},
  ): Promise<Fixture> {
    const chain = await ChainMarket.start();
    const { url, dataSource } = await createMigratedDatabase();
    const connection = { rpcUrl: chain.anvil.url, escrowFactoryAddress: chain.factory };
    return new this(chain, dataSource, await TestService.start(url, { ...connection, ...own }));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.dataSource.destroy();
    await this.chain.stop();
  }

  /** An account whose wallet is a key. */
  person(name: string, usdc = 0n): Promise<Trader> {
    const key = this.chain.wallet();
    return this.trader(name, key, key.address as Hex, usdc);
  }

  /** An account whose wallet is a contract that accepts its owner's key (ERC-1271). */
  async contractPerson(name: string, usdc = 0n): Promise<Trader> {
    const key = this.chain.wallet();
    return this.trader(name, key, await this.chain.contractWallet(key), usdc);
  }

  prepare<K extends PreparableKind>(
    kind: K,
    { accountId, address: walletAddress }: Trader,
    input: KindInputs[K],
    requestDigest: Hex = EMPTY_REQUEST_DIGEST,
  ): Promise<PreparedActionDto> {
    return this.app.get(PreparedActionsService).prepare(kind, { accountId, walletAddress, requestDigest }, input);
  }

  /** The signature of the wallet's key for an action, whatever the wallet is. */
  sign({ key }: Trader, { payload }: PreparedActionDto): Promise<Hex> {
    return signTypedData(key, payload as unknown as TypedData);
  }

  /** Signs the payload exactly as it was returned, and submits the signature. */
  async submit(who: Trader, action: PreparedActionDto, signer: Trader = who): Promise<ActionDto> {
    const signature = await this.sign(signer, action);
    return this.app.get(SubmissionsService).submitSignature(principalOf(who), action.action_id, signature);
  }

  /** Submits the hash of the transaction with which the action is on its way. */
  submitHash(who: Trader, action: PreparedActionDto, hash: Hex): Promise<ActionDto> {
    return this.app.get(SubmissionsService).submitTransaction(principalOf(who), action.action_id, hash);
  }

  /** Sends the call or calls of an action from the wallet itself, exactly as they were returned. @returns the last hash. */
  async sendDirect({ wallet_address: wallet, payload }: PreparedActionDto): Promise<Hex> {
    const { transaction, calls = [transaction] } = payload as { transaction?: any; calls?: any[] };
    let hash = '';
    for (const call of calls) hash = await this.chain.sendAs(call.from ?? wallet, call);
    return hash as Hex;
  }

  /** Brings the index to the head of the chain. */
  index(): Promise<void> {
    return this.app.index();
  }

  task(id: string): Promise<TaskEntity> {
    return this.app.get(TaskStore).load(this.dataSource.manager, id) as Promise<TaskEntity>;
  }

  node({ escrowAddress }: TaskEntity, path: bigint) {
    return this.app.get(ChainClient).nodeAt(escrowAddress, path);
  }

  private async trader(name: string, key: Wallet, address: Hex, usdc: bigint): Promise<Trader> {
    await this.chain.giveEther(address);
    if (usdc > 0n) await this.chain.callUsdc('mint', [address, usdc]);
    return { accountId: await this.rows.account(name, address), address, key };
  }
}

function principalOf({ accountId, address }: Trader) {
  const scopes = ['buyer', 'worker'];
  return { accountId, walletAddress: address, credentialId: 'key_1', scopes, pinnedVersion: '2026-11-20' };
}
