import type { AccessEvents } from './access-event-data.js';
import type { ActionEvents } from './action-event-data.js';
import type { AgentEvents, ReputationEvents } from './agent-event-data.js';
import type { ChainEvents } from './chain-event-data.js';
import type { DeliveryEvents } from './delivery-event-data.js';
import type { EventSubject } from './event-group.js';
import type { MoneyEvents } from './money-event-data.js';
import type { NodeDeadlineEvents, NodeEvents } from './node-event-data.js';
import type { QuoteEvents } from './quote-event-data.js';
import type { TaskEvents, TaskMatchedEvents } from './task-event-data.js';
import type { WebhookEndpointEvents } from './webhook-event-data.js';

/** Every type of event with its data. A type is here once something records it. */
export interface EventCatalogue
  extends
    QuoteEvents,
    TaskEvents,
    TaskMatchedEvents,
    NodeEvents,
    NodeDeadlineEvents,
    DeliveryEvents,
    MoneyEvents,
    AgentEvents,
    ReputationEvents,
    ActionEvents,
    AccessEvents,
    WebhookEndpointEvents,
    ChainEvents {}

export type EventType = keyof EventCatalogue;

/** Ids of the accounts that may read an event, or everybody who is authenticated. */
export type Audience = readonly string[] | 'public';

/** The log of the chain by which something happened. */
export interface ChainPlace {
  readonly chainId: number;
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly logIndex: number;
}

/** An event as its producer gives it. */
export interface RecordedEvent<T extends EventType = EventType> {
  readonly type: T;
  readonly at: Date;
  readonly subject: EventSubject;
  /**
   * Who may read the subject at this moment, by the rules of the interface. It stays as it is here, so `data` must tell
   * nothing that one of them could not read.
   */
  readonly audience: Audience;
  /** Ids, states, amounts and times; never a text that a person wrote. */
  readonly data: EventCatalogue[T];
  /** Where the chain says it; absent when it says nothing of it. */
  readonly chain?: ChainPlace;
}

/** Any event, with the data of its type. */
export type AnyRecordedEvent = { [T in EventType]: RecordedEvent<T> }[EventType];
