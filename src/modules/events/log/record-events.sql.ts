import type { EntityManager } from 'typeorm';
import { newId } from '#libs/kernel';
import { lineColumnsOf, linesOf } from '../../../platform/database/prepared-lists.js';
import { runWithNext } from '../../../platform/database/transactions.js';
import type { AnyRecordedEvent, Audience, ChainPlace, RecordedEvent } from '../catalogue/event.js';
import type { EventSubject } from '../catalogue/event-group.js';

/** Reader of an event that everybody may read; no account has such an id. */
export const PUBLIC = 'public';

/** Ids hold no space, so the ids of an audience travel as one text; and JSON as it is written holds no line break. */
const INSERT = {
  name: 'event-outbox-insert',
  text: `INSERT INTO event_outbox (event_id, type, task_id, audience, document, block_number, block_hash)
    SELECT event_id, type, task_id, string_to_array(audience, ' '), document, block_number, block_hash
    FROM (SELECT ${lineColumnsOf({
      event_id: 'text',
      type: 'text',
      task_id: 'text',
      audience: 'text',
      document: 'text',
      block_number: 'integer',
      block_hash: 'text',
    })}) AS event`,
};

/** The same for one event alone, as most are recorded: 20 µs of Postgres instead of 35. */
const INSERT_ONE = {
  name: 'event-outbox-insert-one',
  text: `INSERT INTO event_outbox (event_id, type, task_id, audience, document, block_number, block_hash)
    VALUES ($1, $2, $3, string_to_array($4, ' '), $5, $6, $7)`,
};

/**
 * Records events in the transaction of the change that they tell, so that both happen or neither. Call it only once the
 * subject's row is locked or was made by this transaction: the order of the calls is the order in which readers see
 * them. The statement is sent with the transaction's next one. An event without a reader is not recorded. Those that the
 * chain has caused are recorded with their block, so that they can be named if it is replaced.
 * @returns the ids of those that are recorded, in the order of the calls.
 */
export async function recordEvents(manager: EntityManager, events: readonly AnyRecordedEvent[]): Promise<string[]> {
  const rows = rowsOf(events);
  const [first] = rows;
  if (first === undefined) return [];
  if (rows.length === 1) {
    const { id, type, taskId, readers, document, block } = first;
    await runWithNext(manager, INSERT_ONE, [id, type, taskId, readers, document, block?.blockNumber, block?.blockHash]);
  } else {
    await runWithNext(manager, INSERT, [
      linesOf(rows.map(({ id }) => id)),
      linesOf(rows.map(({ type }) => type)),
      linesOf(rows.map(({ taskId }) => taskId)),
      linesOf(rows.map(({ readers }) => readers)),
      linesOf(rows.map(({ document }) => document)),
      linesOf(rows.map(({ block }) => block?.blockNumber ?? null)),
      linesOf(rows.map(({ block }) => block?.blockHash ?? null)),
    ]);
  }
  return rows.map(({ id }) => id);
}

interface OutboxRow {
  readonly id: string;
  readonly type: string;
  readonly taskId: string | null;
  /** Ids of the accounts in one order, or `public` alone. */
  readonly readers: string;
  readonly document: string;
  /** That of a tree's event which the chain has caused. */
  readonly block: ChainPlace | undefined;
}

/** One row for each event that somebody may read. */
function rowsOf(events: readonly AnyRecordedEvent[]): OutboxRow[] {
  // Those of a block have one time.
  const timestamps = new Map<number, string>();
  const rows: OutboxRow[] = [];
  for (const event of events) {
    const { type, subject, audience, chain } = event;
    if (audience.length === 0) continue;
    const ms = event.at.getTime();
    const id = newId('evt', ms);
    const timestamp = timestamps.get(ms) ?? event.at.toISOString();
    timestamps.set(ms, timestamp);
    const readers = readersOf(audience);
    const document = eventDocument(event, id, timestamp);
    const { taskId = null } = subject;
    rows.push({ id, type, taskId, readers, document, block: taskId === null ? undefined : chain });
  }
  return rows;
}

/** Their ids in one order, as one text. Most events have one reader or two. */
function readersOf(audience: Audience): string {
  if (audience === PUBLIC) return PUBLIC;
  const [one = '', other = one, third] = audience;
  if (third !== undefined) return [...new Set(audience)].toSorted().join(' ');
  if (one === other) return one;
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

/**
 * The event as it is read, in JSON, without its sequence. Types, times, hashes and ids hold nothing that JSON escapes, so only
 * the data is left to its writer, which takes three times as long.
 */
export function eventDocument(
  { type, subject, data, chain }: Omit<RecordedEvent, 'audience' | 'at'>,
  id: string,
  timestamp: string,
): string {
  const task = subject.taskId === undefined ? '' : `,"task_id":"${subject.taskId}"`;
  const about = `{"kind":"${subject.kind}","id":"${subject.id}"${task}}`;
  const place = chain === undefined ? '' : `,"chain":${placeOf(chain)}`;
  const links = `{"self":"/v1/events/${id}","resource":"${resourceOf(subject)}"}`;
  const head = `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","subject":${about}`;
  return `${head},"data":${JSON.stringify(data)}${place},"links":${links}}`;
}

function placeOf({ chainId, transactionHash, blockNumber, logIndex }: ChainPlace): string {
  const transaction = `"chain_id":${chainId},"tx_hash":"${transactionHash}"`;
  return `{${transaction},"block":${blockNumber},"log_index":${logIndex},"finality":"confirmed"}`;
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
