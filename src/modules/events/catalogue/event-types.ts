import type { EventType } from './event.js';

/** Every type once, which the compiler checks. */
const TYPES: Readonly<Record<EventType, true>> = {
  'quote.submitted': true,
  'quote.updated': true,
  'quote.accepted': true,
  'quote.declined': true,
  'quote.withdrawn': true,
  'quote.expired': true,
  'task.created': true,
  'task.opened': true,
  'task.agent_selected': true,
  'task.updated': true,
  'task.cancelled': true,
  'task.expired': true,
  'agent.published': true,
  'agent.updated': true,
  'agent.availability_changed': true,
  'webhook_endpoint.disabled': true,
  'webhook_endpoint.test': true,
};

export const EVENT_TYPES = Object.keys(TYPES) as EventType[];
