import { Readable } from 'node:stream';
import type { AgentEntity } from '../../../modules/agents/agent/agent.entity.js';
import type { QuoteEntity } from '../../../modules/quotes/quote/quote.entity.js';
import type { TaskDraft } from '../../../modules/tasks/task-drafts.js';
import { ReceivedArtifact } from '../../../modules/artifacts/custody/received-artifact.js';
import { LOCAL_CHAIN_ID } from '../../local-chain/anvil.js';
import type { SeedServices } from '../seeds/seed-services.js';
import { Hiring, type Offer, type OfferTerms } from '../seeds/hiring.js';
import { Intents } from '../seeds/intents.js';
import { agentOf, type Participant } from '../seeds/participant.js';
import { hashOf, TaskTree, type TreeDeployment } from '../seeds/task-tree.js';
import type { At } from '../seeds/timeline.js';

const DAY_SECONDS = 86_400;

/** A scenario's values for a task; everything else has the API's defaults. */
export type TaskSpec = Omit<TaskDraft, 'selectionMode' | 'arbiterWallet' | 'budget' | 'title' | 'offersUntil'> & {
  title: string;
  /** Default: manual. */
  selectionMode?: TaskDraft['selectionMode'];
  /** Days before the market opens; default: 30 days after. */
  offersEnd?: number;
  /** Whole USDC. */
  budget: number;
  /** True: the market's arbiter may rule on disputes. */
  arbitrated?: boolean;
  /** True: the wallet sends every action itself instead of having it relayed with a signature. */
  direct?: boolean;
};

/** A scenario's values for an offer. */
export interface OfferSpec {
  agent: string;
  /** Whole USDC. */
  price: number;
  /** Whole USDC. Default: half the price. */
  floor?: number;
  /** Days to work, from the payment on. */
  workDays: number;
  maxRevisions?: number;
  /** In days before the market opens (negative: after). Default: a week after the offer. */
  standsUntil?: number;
  parent?: Offer;
  hirerFunded?: boolean;
}

/** A task of a scenario: its tree on the chain and the hiring in it. */
export interface ScenarioTask {
  tree: TaskTree;
  hiring: Hiring;
}

/** Base units of whole USDC. */
export function usdc(whole: number): bigint {
  return BigInt(whole) * 1_000_000n;
}

/** What all scenarios use: the participants, the chain, and times as days before the market opens. */
export class ScenarioContext {
  /** The operations that prepare actions. */
  readonly intents: Intents;
  private readonly people: ReadonlyMap<string, Participant>;

  constructor(
    private readonly services: SeedServices,
    private readonly deployment: TreeDeployment,
    participants: readonly Participant[],
    private readonly arbiter: Participant,
    /** When the market opens, unix seconds. */
    private readonly opens: number,
  ) {
    this.intents = new Intents(services);
    this.people = new Map(participants.map((one) => [one.account.name, one]));
  }

  /** Unix seconds of the moment `days` days before the market opens. */
  daysAgo(days: number): number {
    return Math.round(this.opens - days * DAY_SECONDS);
  }

  person(name: string): Participant {
    const found = this.people.get(name);
    if (!found) throw new Error(`Nobody in the market is called ${name}`);
    return found;
  }

  get judge(): Participant {
    return this.arbiter;
  }

  /** The agent of this name and its owner. */
  agent(name: string): { owner: Participant; agent: AgentEntity } {
    const owner = [...this.people.values()].find(({ agents }) => agents.some((one) => one.name === name));
    if (!owner) throw new Error(`No agent of the market is called ${name}`);
    return { owner, agent: agentOf(owner, name) };
  }

  /** Creates a draft; nothing is on the chain. */
  async draft(buyer: Participant, spec: TaskSpec): Promise<ScenarioTask> {
    const { budget, arbitrated = false, direct = false, selectionMode = 'manual', offersEnd = -30, ...rest } = spec;
    const task = await this.services.drafts.create(buyer.account, {
      ...rest,
      budget: usdc(budget),
      selectionMode,
      // The running service indexes with the present time, by which the time for offers must not be over yet.
      offersUntil: new Date(this.daysAgo(offersEnd) * 1000),
      ...(arbitrated ? { arbiterWallet: this.arbiter.wallet.address } : {}),
    });
    const tree = new TaskTree(this.deployment, task, buyer, direct);
    return { tree, hiring: new Hiring(tree, this.services, LOCAL_CHAIN_ID) };
  }

  /**
   * Creates an open task. Draft and publication are one transaction: the running service lives in the present, and would
   * cancel a draft of last month whenever it sees one.
   */
  task(buyer: Participant, spec: TaskSpec): Promise<ScenarioTask> {
    const { transactions, tasks, nowMs } = this.services;
    return transactions.unit(async () => {
      const draft = await this.draft(buyer, spec);
      await transactions.run((manager) => tasks.markOpened(manager, draft.tree.task.id, new Date(nowMs)));
      return draft;
    });
  }

  /** The buyer of a private task invites these agents. */
  async invite({ tree }: ScenarioTask, ...names: string[]): Promise<void> {
    const { id, buyerAccountId } = tree.task;
    const agentIds = names.map((name) => this.agent(name).agent.id);
    await this.services.invitations.invite(buyerAccountId, id, agentIds);
  }

  /** Stores an artifact for the worker, under the hash of the text. */
  async upload({ account }: Participant, text: string): Promise<void> {
    const { store, custody } = this.services;
    const bytes = Buffer.from(text, 'utf8');
    const staged = await store.stage(hashOf(text).slice(2), Readable.from([bytes]));
    await custody.take(account.id, new ReceivedArtifact(staged, hashOf(text), bytes.length, 'text/markdown'));
  }

  /** Waits until the service has indexed everything so far. */
  caughtUp(): Promise<void> {
    return this.services.indexed(this.deployment.chain.lastBlock);
  }

  /**
   * Runs `work` with the clock set to a future time (days after the market opens). For actions that wait for a
   * signature or a transaction: they are valid for a quarter of an hour only, but should still wait days later.
   */
  ahead<T>(days: number, work: () => Promise<T>): Promise<T> {
    return this.services.atTime(this.daysAgo(-days) * 1000, work);
  }

  /** Makes a signed offer of an agent. */
  async quote({ hiring }: ScenarioTask, spec: OfferSpec): Promise<Offer> {
    // The service takes offers below a node only when it has indexed the node.
    await this.caughtUp();
    const { owner, agent } = this.agent(spec.agent);
    return hiring.quote(owner, agent, this.offerTerms(spec));
  }

  /** Makes an offer that its agent has not signed. */
  async draftQuote({ hiring }: ScenarioTask, spec: OfferSpec): Promise<QuoteEntity> {
    const { owner, agent } = this.agent(spec.agent);
    return hiring.draft(owner, agent, this.offerTerms(spec));
  }

  private offerTerms(spec: OfferSpec): OfferTerms {
    const { price, floor, workDays, standsUntil, maxRevisions, parent, hirerFunded } = spec;
    const week = Math.floor(this.services.nowMs / 1000) + 7 * DAY_SECONDS;
    return {
      ...(maxRevisions === undefined ? {} : { maxRevisions }),
      ...(parent === undefined ? {} : { parent }),
      ...(hirerFunded === undefined ? {} : { hirerFunded }),
      price: usdc(price),
      ...(floor === undefined ? {} : { floor: usdc(floor) }),
      workSeconds: workDays * DAY_SECONDS,
      validUntil: standsUntil === undefined ? week : this.daysAgo(standsUntil),
    };
  }
}

/** A scenario of the sample market. It calls `at` to wait for its moments in time. */
export type Scenario = (context: ScenarioContext, at: At) => Promise<void>;
