import { API_KEY_EVENTS, APP_EVENTS, WALLET_EVENTS } from './access-event-data.js';
import { ACTION_EVENTS } from './action-event-data.js';
import { AGENT_EVENTS } from './agent-event-data.js';
import { CHAIN_EVENTS } from './chain-event-data.js';
import { DELIVERY_EVENTS } from './delivery-event-data.js';
import type { EventCatalogue, EventType } from './event.js';
import type { DescribedEvent, EventSubject } from './event-group.js';
import { MONEY_EVENTS } from './money-event-data.js';
import { NODE_EVENTS } from './node-event-data.js';
import { QUOTE_EVENTS } from './quote-event-data.js';
import { TASK_EVENTS } from './task-event-data.js';
import { WEBHOOK_ENDPOINT_EVENTS } from './webhook-event-data.js';

const GROUPS = [
  TASK_EVENTS,
  QUOTE_EVENTS,
  NODE_EVENTS,
  DELIVERY_EVENTS,
  MONEY_EVENTS,
  AGENT_EVENTS,
  ACTION_EVENTS,
  APP_EVENTS,
  API_KEY_EVENTS,
  WALLET_EVENTS,
  WEBHOOK_ENDPOINT_EVENTS,
  CHAIN_EVENTS,
] as const;

/** What is said of every type, which the compiler checks. */
const DESCRIBED: { readonly [T in EventType]: DescribedEvent<EventCatalogue[T]> } = {
  ...TASK_EVENTS.types,
  ...QUOTE_EVENTS.types,
  ...NODE_EVENTS.types,
  ...DELIVERY_EVENTS.types,
  ...MONEY_EVENTS.types,
  ...AGENT_EVENTS.types,
  ...ACTION_EVENTS.types,
  ...APP_EVENTS.types,
  ...API_KEY_EVENTS.types,
  ...WALLET_EVENTS.types,
  ...WEBHOOK_ENDPOINT_EVENTS.types,
  ...CHAIN_EVENTS.types,
};

export const EVENT_TYPES = Object.keys(DESCRIBED) as EventType[];

/** Classes of what events say, each once. */
export const EVENT_DATA = [...new Set<new () => object>(GROUPS.map(({ data }) => data))];

/** What the documents say of a type of event. */
export interface EventDescription extends DescribedEvent<EventCatalogue[EventType]> {
  /** Class of its data. */
  readonly data: new () => object;
  /** A subject, as an example. */
  readonly subject: EventSubject;
  readonly isOfTheChain: boolean;
}

/** What the documents say of a type of event. */
export function describedEvent(type: EventType): EventDescription {
  const group = GROUPS.find(({ types }) => type in types);
  if (group === undefined) throw new Error(`No group has the event ${type}`);
  const { data, subject, isOfTheChain = false } = group;
  return { data, subject, isOfTheChain, ...DESCRIBED[type] };
}
