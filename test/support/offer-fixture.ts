import { type Hex, requestDigest } from '../../libs/kernel/src/index.js';
import { AgentsService } from '../../src/modules/agents/agents.service.js';
import type { KindInputs, PreparableKind } from '../../src/modules/prepared-actions/registry/kind-registry.js';
import type { ActionDto } from '../../src/modules/prepared-actions/dto/action.dto.js';
import type { PreparedActionDto } from '../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import type { SubmitQuoteInput } from '../../src/modules/prepared-actions/dto/quote.body.js';
import { QuoteListService } from '../../src/modules/quotes/quote-list.service.js';
import { QuoteEntity } from '../../src/modules/quotes/quote/quote.entity.js';
import type { TaskDraft } from '../../src/modules/tasks/task-drafts.js';
import { TaskEntity } from '../../src/modules/tasks/task/task.entity.js';
import { ActionFixture, type Trader } from './action-fixture.js';

export const DAY_MS = 86_400_000;
/** The body assumed for every request of the fixture, because its digest is part of what is signed. */
const BODY = { of: 'the fixture' };

/** An account that works, with one active agent that has the account's wallet. */
export interface Worker extends Trader {
  agentId: string;
}

/** The whole service on its own chain and database, for specs that begin with a task's first signature. */
export class OfferFixture extends ActionFixture {
  /** @param capability the words by which its agent is found. */
  async worker(name: string, capability = 'audit'): Promise<Worker> {
    return this.withAgent(await this.person(name), capability);
  }

  /** A worker whose wallet is a contract that accepts its owner's key. */
  async contractWorker(name: string): Promise<Worker> {
    return this.withAgent(await this.contractPerson(name), 'audit');
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
    const time = change.deadline === undefined ? { workSeconds: 7 * 86_400 } : {};
    return {
      taskId: task.id,
      parentNodeId: null,
      price: 100_000_000n,
      ...time,
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

  override prepare<K extends PreparableKind>(kind: K, who: Trader, input: KindInputs[K]): Promise<PreparedActionDto> {
    return super.prepare(kind, who, input, requestDigest(BODY));
  }

  /** Sends the call of a signed action, as anybody can. */
  async relay({ transaction }: ActionDto): Promise<void> {
    if (!transaction) throw new Error('The action has no call');
    await this.chain.send(transaction.to, transaction.data);
    await this.index();
  }

  override async sendDirect(action: PreparedActionDto): Promise<Hex> {
    const hash = await super.sendDirect(action);
    await this.index();
    return hash;
  }

  quoteOf({ action_id: actionId }: Pick<PreparedActionDto, 'action_id'>): Promise<QuoteEntity> {
    return this.dataSource.manager.findOneByOrFail(QuoteEntity, { actionId });
  }

  /** Statuses of the quotes that an account sees, newest first. */
  async statusesSeenBy({ accountId }: Trader, taskId: string): Promise<string[]> {
    const page = await this.app.get(QuoteListService).list({ accountId }, { limit: 25, task_id: taskId });
    return page.data.map(({ status }) => status);
  }

  private async withAgent(owner: Trader, capability: string): Promise<Worker> {
    const profile = { name: `Agent for ${capability}`, agentCardUrl: 'https://agents.example/card.json' };
    const account = { id: owner.accountId, walletAddress: owner.address };
    const { id } = await this.app.get(AgentsService).publish(account, { ...profile, capabilities: [capability] });
    return { ...owner, agentId: id };
  }
}
