import type { HDNodeWallet } from 'ethers';
import type { DataSource } from 'typeorm';
import type { TypedData } from '../../libs/contracts/src/index.js';
import { type Hex, requestDigest } from '../../libs/kernel/src/index.js';
import { AgentsService } from '../../src/modules/agents/agents.service.js';
import { IndexerService } from '../../src/modules/escrow/indexer/indexer.service.js';
import type { KindInputs, PreparableKind } from '../../src/modules/prepared-actions/registry/kind-registry.js';
import type { ActionDto } from '../../src/modules/prepared-actions/dto/action.dto.js';
import type { PreparedActionDto } from '../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import type { SubmitQuoteInput } from '../../src/modules/prepared-actions/dto/quote.body.js';
import { PreparedActionsService } from '../../src/modules/prepared-actions/prepared-actions.service.js';
import { SubmissionsService } from '../../src/modules/prepared-actions/lifecycle/submissions.service.js';
import { QuoteListService } from '../../src/modules/quotes/quote-list.service.js';
import { QuoteEntity } from '../../src/modules/quotes/quote/quote.entity.js';
import type { TaskDraft } from '../../src/modules/tasks/task-drafts.js';
import { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import { TaskStore } from '../../src/modules/tasks/task-store.js';
import { ChainClient } from '../../src/platform/chain/chain-client.js';
import { ChainMarket } from './chain-market.js';
import { createMigratedDatabase } from './database.js';
import { signTypedData } from './escrow-fixture.js';
import { TestService } from './test-service.js';
import { MarketRows } from './market-rows.js';

export const DAY_MS = 86_400_000;
/** The body assumed for every request of the stage, because its digest is part of what is signed. */
const BODY = { of: 'the stage' };

/** An account with its wallet, and the key that signs for it. */
export interface Trader {
  accountId: string;
  address: Hex;
  key: HDNodeWallet;
}

/** An account that works, with one active agent that has the account's wallet. */
export interface Worker extends Trader {
  agentId: string;
}

/** The whole service on its own chain and database, for specs that begin with a task's first signature. */
export class OfferStage {
  private constructor(
    readonly chain: ChainMarket,
    readonly dataSource: DataSource,
    readonly app: TestService,
    readonly rows: MarketRows,
  ) {}

  static async start(): Promise<OfferStage> {
    const chain = await ChainMarket.start();
    const { url, dataSource } = await createMigratedDatabase();
    const own = { rpcUrl: chain.anvil.url, escrowFactoryAddress: chain.factory };
    return new OfferStage(chain, dataSource, await TestService.start(url, own), new MarketRows(dataSource));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.dataSource.destroy();
    await this.chain.stop();
  }

  async buyer(name = 'buyer'): Promise<Trader> {
    const key = this.chain.wallet();
    return this.named(name, key, key.address as Hex);
  }

  /** A buyer whose wallet is a contract that accepts its owner's key. */
  async contractBuyer(name: string): Promise<Trader> {
    const key = this.chain.wallet();
    return this.named(name, key, await this.chain.contractWallet(key));
  }

  /** @param capability the words by which its agent is found. */
  async worker(name: string, capability = 'audit'): Promise<Worker> {
    const key = this.chain.wallet();
    return this.withAgent(await this.named(name, key, key.address as Hex), capability);
  }

  /** A worker whose wallet is a contract that accepts its owner's key. */
  async contractWorker(name: string): Promise<Worker> {
    const key = this.chain.wallet();
    return this.withAgent(await this.named(name, key, await this.chain.contractWallet(key)), 'audit');
  }

  /** A task whose buyer has signed `CreateTask`; nothing of it is on the chain. */
  async openTask(buyer: Trader, change: Partial<TaskDraft> = {}): Promise<TaskEntity> {
    const brief = 'Audit one solidity contract and say what you found.';
    const draft = { brief, budget: 250_000_000n, selectionMode: 'manual' as const, ...change };
    const action = await this.prepare('create_task', buyer, { draft });
    await this.submit(buyer, action);
    return this.task(action.task_id ?? '');
  }

  offerFor(task: TaskEntity, change: Partial<SubmitQuoteInput> = {}): SubmitQuoteInput {
    const now = Math.floor(this.app.clock.nowMs() / 1000) * 1000;
    return {
      taskId: task.id,
      parentNodeId: null,
      price: 100_000_000n,
      deadline: new Date(now + 7 * DAY_MS),
      termsHash: task.termsHash,
      ...change,
    };
  }

  /** A quote of the worker's agent, signed, so that the payer sees it. */
  async quote(worker: Worker, task: TaskEntity, change: Partial<SubmitQuoteInput> = {}): Promise<QuoteEntity> {
    const action = await this.prepare('submit_quote', worker, this.offerFor(task, change));
    await this.submit(worker, action);
    return this.quoteOf(action);
  }

  prepare<K extends PreparableKind>(kind: K, who: Trader, input: KindInputs[K]): Promise<PreparedActionDto> {
    const intent = { accountId: who.accountId, walletAddress: who.address, requestDigest: requestDigest(BODY) };
    return this.app.get(PreparedActionsService).prepare(kind, intent, input);
  }

  /** Signs the payload exactly as it was returned, and submits the signature. */
  async submit(who: Trader, action: PreparedActionDto, signer: Trader = who): Promise<ActionDto> {
    const scopes = ['buyer', 'worker'];
    const principal = { accountId: who.accountId, walletAddress: who.address, credentialId: 'key_1', scopes };
    const signature = await signTypedData(signer.key, action.payload as unknown as TypedData);
    const submissions = this.app.get(SubmissionsService);
    return submissions.submitSignature({ ...principal, pinnedVersion: '2026-11-20' }, action.action_id, signature);
  }

  /** Sends the call of a signed action, as anybody can. */
  async relay({ transaction }: ActionDto): Promise<void> {
    if (!transaction) throw new Error('The action has no call');
    await this.chain.send(transaction.to, transaction.data);
    await this.index();
  }

  /** Sends the calls of an action from the wallet itself. */
  async sendDirect({ address }: Trader, { payload }: PreparedActionDto): Promise<void> {
    const { transaction, calls = [transaction] } = payload as { transaction?: any; calls?: any[] };
    for (const call of calls) await this.chain.sendAs(address, call);
    await this.index();
  }

  /** Brings the index to the head of the chain. */
  async index(): Promise<void> {
    while ((await this.app.get(IndexerService).advance()) === 'again');
  }

  task(id: string): Promise<TaskEntity> {
    return this.app.get(TaskStore).load(this.dataSource.manager, id) as Promise<TaskEntity>;
  }

  quoteOf({ action_id: actionId }: Pick<PreparedActionDto, 'action_id'>): Promise<QuoteEntity> {
    return this.dataSource.manager.findOneByOrFail(QuoteEntity, { actionId });
  }

  /** Statuses of the quotes that an account sees, newest first. */
  async statusesSeenBy({ accountId }: Trader, taskId: string): Promise<string[]> {
    const page = await this.app.get(QuoteListService).list({ accountId }, { limit: 25, task_id: taskId });
    return page.data.map(({ status }) => status);
  }

  node(task: TaskEntity, number: number) {
    return this.app.get(ChainClient).nodeAt(task.escrowAddress, number);
  }

  private async named(name: string, key: HDNodeWallet, address: Hex): Promise<Trader> {
    await this.chain.giveEther(address);
    return { accountId: await this.rows.account(name, address), address, key };
  }

  private async withAgent(owner: Trader, capability: string): Promise<Worker> {
    const profile = { name: `Agent for ${capability}`, agentCardUrl: 'https://agents.example/card.json' };
    const account = { id: owner.accountId, walletAddress: owner.address };
    const { id } = await this.app.get(AgentsService).publish(account, { ...profile, capabilities: [capability] });
    return { ...owner, agentId: id };
  }
}

/** The code of a refusal, or 'none'. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: { code?: string; stack?: string }) => error.code ?? `no code: ${error.stack}`,
  );
}
