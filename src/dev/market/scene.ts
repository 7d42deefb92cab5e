import type { AgentEntity } from '../../modules/agents/agent.entity.js';
import type { QuoteEntity } from '../../modules/quotes/quote.entity.js';
import type { TaskDraft } from '../../modules/tasks/task-drafts.js';
import { LOCAL_CHAIN_ID } from '../anvil.js';
import type { Backstage } from './backstage.js';
import { Hiring, type Offer } from './hiring.js';
import { agentOf, type Participant } from './participant.js';
import { TaskTree, type TreeStage } from './task-tree.js';
import type { At } from './timeline.js';

const DAY_SECONDS = 86_400;

/** What a story says about a task; the rest has the interface's defaults. */
export type TaskSpec = Omit<TaskDraft, 'selectionMode' | 'arbiterWallet' | 'budget' | 'title'> & {
  title: string;
  /** Whole USDC. */
  budget: number;
  /** True: the arbiter of the market may rule on disputes. */
  arbitrated?: boolean;
  /** True: every action is sent by the wallet itself instead of being relayed with a signature. */
  direct?: boolean;
};

/** What a story says about an offer. Times in days before (negative: after) the moment the market opens. */
export interface OfferSpec {
  agent: string;
  /** Whole USDC. */
  price: number;
  deliverBy: number;
  /** Absent: a week after the offer. */
  standsUntil?: number;
  parent?: Offer;
  hirerFunded?: boolean;
}

/** A task of a story: its tree on chain and the hiring in it. */
export interface StoryTask {
  tree: TaskTree;
  hiring: Hiring;
}

/** Base units of whole USDC. */
export function usdc(whole: number): bigint {
  return BigInt(whole) * 1_000_000n;
}

/** Everything that stories share: the people, the chain, and time as days before the market opens. */
export class Scene {
  private readonly people: ReadonlyMap<string, Participant>;

  constructor(
    private readonly backstage: Backstage,
    private readonly stage: TreeStage,
    participants: readonly Participant[],
    private readonly arbiter: Participant,
    /** When the market opens, unix seconds. */
    private readonly opens: number,
  ) {
    this.people = new Map(participants.map((one) => [one.account.name, one]));
  }

  /** Unix seconds of a moment so many days before the market opens. */
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

  /** A draft of the buyer's; nothing is on chain. */
  async draft(buyer: Participant, spec: TaskSpec): Promise<StoryTask> {
    const { budget, arbitrated = false, direct = false, ...rest } = spec;
    const task = await this.backstage.drafts.create(buyer.account, {
      ...rest,
      budget: usdc(budget),
      selectionMode: 'manual',
      ...(arbitrated ? { arbiterWallet: this.arbiter.wallet.address } : {}),
    });
    const tree = new TaskTree(this.stage, task, buyer, direct);
    return { tree, hiring: new Hiring(tree, this.backstage, LOCAL_CHAIN_ID) };
  }

  /** A task that is open on chain. */
  async task(buyer: Participant, spec: TaskSpec): Promise<StoryTask> {
    const task = await this.draft(buyer, spec);
    await task.tree.publish();
    return task;
  }

  /** A signed offer of an agent. */
  async quote({ hiring }: StoryTask, spec: OfferSpec): Promise<Offer> {
    // The service takes offers only for what it has seen on chain.
    await this.backstage.indexed(this.stage.chain.lastBlock);
    const { owner, agent } = this.agent(spec.agent);
    return hiring.quote(owner, agent, this.offerTerms(spec));
  }

  /** An offer that its agent has not signed. */
  async draftQuote({ hiring }: StoryTask, spec: OfferSpec): Promise<QuoteEntity> {
    await this.backstage.indexed(this.stage.chain.lastBlock);
    const { owner, agent } = this.agent(spec.agent);
    return hiring.draft(owner, agent, this.offerTerms(spec));
  }

  private offerTerms({ price, deliverBy, standsUntil, parent, hirerFunded }: OfferSpec) {
    const deadline = this.daysAgo(deliverBy);
    const week = Math.floor(this.backstage.nowMs / 1000) + 7 * DAY_SECONDS;
    const validUntil = standsUntil === undefined ? Math.min(week, deadline) : this.daysAgo(standsUntil);
    return {
      price: usdc(price),
      deadline,
      validUntil,
      ...(parent === undefined ? {} : { parent }),
      ...(hirerFunded === undefined ? {} : { hirerFunded }),
    };
  }
}

/** A story of the sample market: tells itself along the moments it waits for. */
export type Story = (scene: Scene, at: At) => Promise<void>;
