import type { AgentEvents } from './agent-event-data.js';
import type { QuoteEvents } from './quote-event-data.js';
import type { TaskEvents } from './task-event-data.js';
import type { WebhookEndpointEvents } from './webhook-event-data.js';

/** Every type of event with its data. A type is here once something records it. */
export interface EventCatalogue extends QuoteEvents, TaskEvents, AgentEvents, WebhookEndpointEvents {}

export type EventType = keyof EventCatalogue;

/** Ids of the accounts that may read an event, or everybody who is authenticated. */
export type Audience = readonly string[] | 'public';

/** What an event is about. */
export interface EventSubject {
  readonly kind: 'task' | 'quote' | 'agent' | 'webhook_endpoint';
  readonly id: string;
  /** The task that it belongs to; for a task its own id. */
  readonly taskId?: string;
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
}

/** Any event, with the data of its type. */
export type AnyRecordedEvent = { [T in EventType]: RecordedEvent<T> }[EventType];
