import { API_KEY_EVENTS, APP_EVENTS, WALLET_EVENTS } from './access-event-data.js';
import { ACTION_EVENTS } from './action-event-data.js';
import { AGENT_EVENTS, REPUTATION_EVENTS } from './agent-event-data.js';
import { CHAIN_EVENTS } from './chain-event-data.js';
import { DELIVERY_EVENTS } from './delivery-event-data.js';
import type { EventCatalogue, EventType } from './event.js';
import type { DescribedEvent, EventGroup, EventSubject } from './event-group.js';
import { MONEY_EVENTS } from './money-event-data.js';
import { NODE_DEADLINE_EVENTS, NODE_EVENTS } from './node-event-data.js';
import { QUOTE_EVENTS } from './quote-event-data.js';
import { TASK_EVENTS, TASK_MATCHED_EVENTS } from './task-event-data.js';
import { WEBHOOK_ENDPOINT_EVENTS } from './webhook-event-data.js';

/** What the documents say of a type of event. */
export interface EventDescription<Data = EventCatalogue[EventType]> extends DescribedEvent<Data> {
  /** Class of its data. */
  readonly data: new () => object;
  /** A subject, as an example. */
  readonly subject: EventSubject;
  readonly isOfTheChain: boolean;
}

type Described<Events> = { readonly [T in keyof Events]: EventDescription<Events[T]> };

/** What the documents say of every type, which the compiler checks. */
export const EVENTS: Described<EventCatalogue> = {
  ...described(TASK_EVENTS),
  ...described(TASK_MATCHED_EVENTS),
  ...described(QUOTE_EVENTS),
  ...described(NODE_EVENTS),
  ...described(NODE_DEADLINE_EVENTS),
  ...described(DELIVERY_EVENTS),
  ...described(MONEY_EVENTS),
  ...described(AGENT_EVENTS),
  ...described(REPUTATION_EVENTS),
  ...described(ACTION_EVENTS),
  ...described(APP_EVENTS),
  ...described(API_KEY_EVENTS),
  ...described(WALLET_EVENTS),
  ...described(WEBHOOK_ENDPOINT_EVENTS),
  ...described(CHAIN_EVENTS),
};

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** Classes of what events say, each once. */
export const EVENT_DATA = [...new Set(EVENT_TYPES.map((type) => EVENTS[type].data))];

/** True for the name of a type of event. */
export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENTS, value);
}

/** Path of the schema of one type of event. */
export function schemaPath(type: string): string {
  return `/schemas/events/${type}.json`;
}

function described<Events>({ data, subject, isOfTheChain = false, types }: EventGroup<Events>): Described<Events> {
  const entries = Object.entries<DescribedEvent<Events[keyof Events]>>(types);
  return Object.fromEntries(
    entries.map(([type, own]) => [type, { data, subject, isOfTheChain, ...own }]),
  ) as Described<Events>;
}
