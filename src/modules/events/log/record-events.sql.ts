import type { EntityManager } from 'typeorm';
import { newId } from '#libs/kernel';
import { listsOf } from '../../../platform/database/prepared-lists.js';
import { runWithNext } from '../../../platform/database/transactions.js';
import type { AnyRecordedEvent, EventSubject } from '../catalogue/event.js';

/** Reader of an event that everybody may read; no account has such an id. */
export const PUBLIC = 'public';

/** Ids hold no space, so the ids of an audience travel as one text. */
const INSERT = {
  name: 'event-outbox-insert',
  text: `INSERT INTO event_outbox (event_id, type, task_id, audience, document)
    SELECT event_id, type, task_id, string_to_array(audience, ' '), document
    FROM unnest(${listsOf('text', 'text', 'text', 'text', 'text')}) WITH ORDINALITY
      AS event (event_id, type, task_id, audience, document, place)
    ORDER BY place`,
};

/**
 * Records events in the transaction of the change that they tell, so that both happen or neither. Call it only once the
 * subject's row is locked or was made by this transaction: the order of the calls is the order in which readers see
 * them. The statement is sent with the transaction's next one. An event without a reader is not recorded.
 * @returns the ids of those that are, in the order of the calls.
 */
export async function recordEvents(manager: EntityManager, events: readonly AnyRecordedEvent[]): Promise<string[]> {
  const read = events.filter(({ audience }) => audience.length > 0);
  if (read.length === 0) return [];
  const ids = read.map(({ at }) => newId('evt', at.getTime()));
  await runWithNext(manager, INSERT, [
    ids,
    read.map(({ type }) => type),
    read.map(({ subject }) => subject.taskId ?? null),
    read.map(({ audience }) => (audience === PUBLIC ? PUBLIC : [...new Set(audience)].join(' '))),
    read.map((event, index) => documentOf(event, ids[index] ?? '')),
  ]);
  return ids;
}

/** The event as API JSON, without its sequence. */
function documentOf({ type, at, subject, data }: AnyRecordedEvent, id: string): string {
  const { kind, id: subjectId, taskId } = subject;
  return JSON.stringify({
    id,
    type,
    timestamp: at.toISOString(),
    subject: { kind, id: subjectId, ...(taskId === undefined ? {} : { task_id: taskId }) },
    data,
    links: { self: `/v1/events/${id}`, resource: resourceOf(subject) },
  });
}

/** Where the subject can be read. */
function resourceOf({ kind, id, taskId }: EventSubject): string {
  if (kind === 'quote') return `/v1/quotes?task_id=${taskId}`;
  if (kind === 'webhook_endpoint') return `/v1/webhook-endpoints/${id}`;
  return kind === 'task' ? `/v1/tasks/${id}` : `/v1/agents/${id}`;
}
