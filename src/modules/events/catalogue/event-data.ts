import { AgentEventData } from './agent-event-data.js';
import { ChainRevertedData } from './chain-event-data.js';
import { DeliveryEventData } from './delivery-event-data.js';
import { MoneyEventData } from './money-event-data.js';
import { NodeEventData } from './node-event-data.js';
import { QuoteEventData } from './quote-event-data.js';
import { TaskEventData } from './task-event-data.js';

/** What events say, one class a group. */
export const EVENT_DATA = [
  QuoteEventData,
  TaskEventData,
  NodeEventData,
  DeliveryEventData,
  MoneyEventData,
  AgentEventData,
  ChainRevertedData,
] as const;

/** What any event says. */
export type EventData = InstanceType<(typeof EVENT_DATA)[number]>;
