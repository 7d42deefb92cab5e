import type { Hex } from '#libs/notation';
import type { ActionKind, Argument, Deployment, PreparedAction, TreeParties } from '#libs/prepared-action';
import type { EventOf, KnownEventType, MarketEvent } from '../../events/resumed-stream.js';
import type { components } from '../../generated/interface.js';
import { Refusal } from '../document/refusal.js';

export type Schemas = components['schemas'];
/** A record, and whom it belongs to. */
export interface Owned<T> {
  readonly owner: Party;
  readonly record: T;
}

/** Somebody who uses the market. */
export interface Party {
  readonly id: string;
  readonly name: string;
  readonly address: Hex;
}

export interface FakeTask extends Owned<Schemas['Task']> {
  readonly parties: TreeParties;
  readonly invited: Set<string>;
  readonly nodes: Map<bigint, FakeNode>;
  /** Base units that came back, by address. */
  readonly refunds: Map<string, bigint>;
  readonly usedNonces: Set<string>;
  /** The offer that the buyer has selected. */
  selected?: FakeQuote;
}

export interface FakeNode {
  readonly task: FakeTask;
  readonly path: bigint;
  readonly worker: Party;
  readonly agentId: string;
  readonly terms: Readonly<Record<string, Argument>>;
  readonly record: Schemas['EscrowNode'];
  /** Number of the contract's state: 1 funded, 2 delivered, 3 rejected, 4 disputed, 5 settled, 6 refunded, 7 abandoned. */
  state: number;
  version: number;
  revisions: number;
  readonly deliverBy: number;
  clock: number;
  artifactHash: Hex;
  payOut: boolean;
  /** Base units that the worker can take out, and has. */
  withdrawable: bigint;
  paid: bigint;
}

export interface FakeQuote extends Owned<Schemas['Quote']> {
  readonly task: FakeTask;
  readonly path: bigint;
  readonly terms: Readonly<Record<string, Argument>>;
}

export interface FakeAction extends Owned<Schemas['Action']> {
  readonly prepared: PreparedAction;
  readonly kind: ActionKind;
  /** The scope that has prepared it. */
  readonly scope: string;
  readonly task: FakeTask;
  readonly createdAt: string;
  /** What becomes of it once it holds. */
  readonly effect: () => void;
}

export type FakeEndpoint = Owned<Schemas['WebhookEndpoint']> & { readonly attempts: Schemas['WebhookAttempt'][] };

export interface Listener {
  readonly party: Party;
  readonly tell: (event: MarketEvent) => void;
}

const DAY_MS = 86_400_000;
/** Where the subjects of events are read. */
const PLACES: Readonly<Record<string, string>> = { task: 'tasks', quote: 'quotes', agent: 'agents', action: 'actions' };

/** Everything that a fake market keeps. */
export class MarketState {
  readonly agents: Owned<Schemas['Agent']>[] = [];
  /** A2A endpoints that are named for agents, by agent. */
  readonly cardEndpoints = new Map<string, Schemas['AgentEndpoint']>();
  readonly tasks: FakeTask[] = [];
  readonly quotes: FakeQuote[] = [];
  readonly deliveries: Owned<Schemas['Delivery']>[] = [];
  readonly artifacts = new Map<string, { bytes: Uint8Array; mediaType: string; receipt: string }>();
  readonly actions: FakeAction[] = [];
  readonly receipts: (Schemas['Receipt'] & { hirer: Party; worker: Party })[] = [];
  readonly endpoints: FakeEndpoint[] = [];
  readonly events: { event: MarketEvent; seenBy: readonly string[] }[] = [];
  readonly listeners = new Set<Listener>();
  private ids = 0;
  private aheadMs = 0;

  constructor(
    readonly baseUrl: string,
    readonly deployment: Deployment,
  ) {}

  nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  advance(seconds: number): void {
    this.aheadMs += seconds * 1000;
  }

  instant(secondsFromNow = 0): string {
    return new Date(this.nowMs() + secondsFromNow * 1000).toISOString();
  }

  inDays(days: number): string {
    return new Date(this.nowMs() + days * DAY_MS).toISOString();
  }

  id(prefix: string): string {
    this.ids += 1;
    return `${prefix}_${String(this.ids).padStart(26, '0')}`;
  }

  /** 32 bytes that nothing else has. */
  hash(): Hex {
    this.ids += 1;
    return `0x${this.ids.toString(16).padStart(64, '0')}`;
  }

  tell<T extends KnownEventType>(
    type: T,
    subject: Schemas['EventSubject'],
    data: EventOf<T>['data'],
    to: readonly Pick<Party, 'id'>[],
  ): MarketEvent {
    const id = this.id('evt');
    const place = PLACES[subject.kind];
    const event = {
      id,
      type,
      timestamp: this.instant(),
      subject,
      data,
      links: {
        self: `/v1/events/${id}`,
        resource: place === undefined ? `/v1/tasks/${subject.task_id}/nodes` : `/v1/${place}/${subject.id}`,
      },
      sequence: this.events.length + 1,
    } as MarketEvent;
    const seenBy = to.map(({ id: account }) => account);
    this.events.push({ event, seenBy });
    for (const { party, tell } of this.listeners) if (seenBy.includes(party.id)) tell(event);
    return event;
  }

  eventsOf(party: Party): MarketEvent[] {
    return this.events.filter(({ seenBy }) => seenBy.includes(party.id)).map(({ event }) => event);
  }

  /** A private task is visible to its buyer and to who was invited. */
  visibleTask(taskId: string | undefined, party: Party): FakeTask {
    const task = this.tasks.find(({ record }) => record.id === taskId);
    if (task === undefined || !this.isVisible(task, party)) throw new Refusal('not_found');
    return task;
  }

  isVisible({ owner, record, invited }: FakeTask, party: Party): boolean {
    return owner === party || invited.has(party.id) || (record.tier === 'public' && record.status !== 'draft');
  }

  node(task: FakeTask, nodeId: string | undefined): FakeNode {
    const node = [...task.nodes.values()].find(({ record }) => record.id === nodeId);
    if (node === undefined) throw new Refusal('not_found');
    return node;
  }

  /** Who has hired for a node: the worker of the one above, or the buyer. */
  hirerOf({ task, record }: FakeNode): Party {
    const above = record.parent_node_id;
    return above === null ? task.owner : this.node(task, above).worker;
  }

  agentOf(party: Party, agentId?: string): Schemas['Agent'] {
    const own = this.agents.find(({ owner, record }) => owner === party && record.id === (agentId ?? record.id));
    if (own === undefined) throw new Refusal('not_found', 'You have no such agent.');
    return own.record;
  }
}
