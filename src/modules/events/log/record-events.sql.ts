import type { EntityManager } from 'typeorm';
import { newId } from '#libs/kernel';
import { lineListsOf, linesOf } from '../../../platform/database/prepared-lists.js';
import { runWithNext } from '../../../platform/database/transactions.js';
import type { AnyRecordedEvent, Audience, ChainPlace, RecordedEvent } from '../catalogue/event.js';
import type { EventSubject } from '../catalogue/event-group.js';
import type { ChainPlaceDto } from '../catalogue/chain-event-data.js';
import { type ChainEvents, rememberChainEvents } from './chain-events.sql.js';

/** Reader of an event that everybody may read; no account has such an id. */
export const PUBLIC = 'public';

/** Ids hold no space, so the ids of an audience travel as one text; and JSON as it is written holds no line break. */
const INSERT = {
  name: 'event-outbox-insert',
  text: `INSERT INTO event_outbox (event_id, type, task_id, audience, document)
    SELECT event_id, type, task_id, string_to_array(audience, ' '), document
    FROM unnest(${lineListsOf('text', 'text', 'text', 'text', 'text')}) WITH ORDINALITY
      AS event (event_id, type, task_id, audience, document, place)
    ORDER BY place`,
};

/** The same for one event alone, as most are recorded: 20 µs of Postgres instead of 35. */
const INSERT_ONE = {
  name: 'event-outbox-insert-one',
  text: `INSERT INTO event_outbox (event_id, type, task_id, audience, document)
    VALUES ($1, $2, $3, string_to_array($4, ' '), $5)`,
};

/**
 * Records events in the transaction of the change that they tell, so that both happen or neither. Call it only once the
 * subject's row is locked or was made by this transaction: the order of the calls is the order in which readers see
 * them. The statement is sent with the transaction's next one. An event without a reader is not recorded. Those that the
 * chain has caused are remembered with their block, so that they can be named if it is replaced.
 * @returns the ids of those that are recorded, in the order of the calls.
 */
export async function recordEvents(manager: EntityManager, events: readonly AnyRecordedEvent[]): Promise<string[]> {
  const read = events.flatMap((event) => {
    const readers = readersOf(event.audience);
    return readers.length === 0 ? [] : [{ event, id: newId('evt', event.at.getTime()), readers }];
  });
  if (read.length === 0) return [];
  const rows = read.map(({ event, id, readers }) => ({
    id,
    type: event.type,
    taskId: event.subject.taskId ?? null,
    readers: readers.join(' '),
    document: JSON.stringify(eventDocument(event, id)),
  }));
  const [first] = rows;
  if (rows.length === 1 && first) {
    await runWithNext(manager, INSERT_ONE, [first.id, first.type, first.taskId, first.readers, first.document]);
  } else {
    await runWithNext(manager, INSERT, [
      linesOf(rows.map(({ id }) => id)),
      linesOf(rows.map(({ type }) => type)),
      linesOf(rows.map(({ taskId }) => taskId)),
      linesOf(rows.map(({ readers }) => readers)),
      linesOf(rows.map(({ document }) => document)),
    ]);
  }
  await rememberChainEvents(manager, chainEventsOf(read));
  return read.map(({ id }) => id);
}

interface ReadEvent {
  readonly event: AnyRecordedEvent;
  readonly id: string;
  readonly readers: readonly string[];
}

function readersOf(audience: Audience): readonly string[] {
  return audience === PUBLIC ? [PUBLIC] : [...new Set(audience)];
}

/** The events that the chain has caused, gathered by block, task and audience. */
function chainEventsOf(read: readonly ReadEvent[]): ChainEvents[] {
  const gathered = new Map<string, ChainEvents & { eventIds: string[] }>();
  for (const { event, id, readers } of read) {
    const { chain, subject } = event;
    if (chain === undefined || subject.taskId === undefined) continue;
    const audience = readers.toSorted();
    const { blockNumber, blockHash } = chain;
    const key = [blockHash, subject.taskId, ...audience].join(' ');
    const known = gathered.get(key);
    if (known) known.eventIds.push(id);
    else gathered.set(key, { taskId: subject.taskId, blockNumber, blockHash, audience, eventIds: [id] });
  }
  return [...gathered.values()];
}

/** The event as it is read, without its sequence. */
export function eventDocument({ type, at, subject, data, chain }: Omit<RecordedEvent, 'audience'>, id: string) {
  const { kind, id: subjectId, taskId } = subject;
  return {
    id,
    type,
    timestamp: at.toISOString(),
    subject: { kind, id: subjectId, ...(taskId === undefined ? {} : { task_id: taskId }) },
    data,
    ...(chain === undefined ? {} : { chain: placeOf(chain) }),
    links: { self: `/v1/events/${id}`, resource: resourceOf(subject) },
  };
}

function placeOf({ chainId, transactionHash, blockNumber, logIndex }: ChainPlace): ChainPlaceDto {
  return {
    chain_id: chainId,
    tx_hash: transactionHash,
    block: blockNumber,
    log_index: logIndex,
    finality: 'confirmed',
  };
}

/** Where the subject can be read; of access to an account, the page of its owner where it can be ended. */
function resourceOf({ kind, id, taskId }: EventSubject): string {
  switch (kind) {
    case 'task':
      return `/v1/tasks/${id}`;
    case 'agent':
      return `/v1/agents/${id}`;
    case 'node':
      return `/v1/tasks/${taskId}/nodes`;
    case 'quote':
      return `/v1/quotes?task_id=${taskId}`;
    case 'delivery':
      return `/v1/deliveries?task_id=${taskId}`;
    case 'receipt':
      return `/v1/receipts?task_id=${taskId}`;
    case 'action':
      return `/v1/actions/${id}`;
    case 'app':
      return '/account/apps';
    case 'api_key':
      return '/account/keys';
    case 'wallet':
      return '/account/wallets';
    case 'webhook_endpoint':
      return `/v1/webhook-endpoints/${id}`;
  }
}
