import { schemaPath } from '../events/catalogue/event-types.js';
import { headOf, type LoggedEvent } from '../events/events.sql-views.js';

/** One message as it is published. */
export interface BusMessage {
  readonly subject: string;
  /** What the server drops a repetition by, for as long as its window is. */
  readonly messageId: string;
  /** A CloudEvent as JSON. */
  readonly body: string;
  readonly sequence: string;
  /** The account that it is for; empty: everybody. */
  readonly reader: string;
}

/** Beginning of the subjects of what everybody may read; the type of the event follows. */
export const PUBLIC_PREFIX = 'tasktree.events';
/** Beginning of the subjects of what an account may read; its id and the type of the event follow. */
export const ACCOUNTS_PREFIX = 'tasktree.accounts';

export const CLOUD_EVENT_TYPE = 'application/cloudevents+json; charset=utf-8';

/** Digits of the greatest sequence: padded to them, sequences sort as texts, which the extension of CloudEvents demands. */
const SEQUENCE_DIGITS = 16;
/** What a token of a subject may hold: anything else would make another subject of it, or a wildcard. */
const TOKEN = /^[A-Za-z0-9_-]+$/;

/** The message for everybody. @param source URL of the service. */
export function publicMessage(event: LoggedEvent, source: string): BusMessage {
  const { id, type, body } = cloudEvent(event, source);
  return { subject: `${PUBLIC_PREFIX}.${type}`, messageId: id, body, sequence: event.sequence, reader: '' };
}

/**
 * The messages for the accounts among its readers, in the order of their ids, which is the same each time: so the last one
 * that is stored tells which are missing. The event's id alone does not tell them apart, so the account is part of what a
 * repetition is known by.
 */
export function accountMessages(event: LoggedEvent, readers: readonly string[], source: string): BusMessage[] {
  if (readers.length === 0) return [];
  const { id, type, body } = cloudEvent(event, source);
  return readers.toSorted(byCodeUnits).map((reader) => {
    if (!TOKEN.test(reader)) throw new Error(`The account of event ${id} cannot be part of a subject`);
    const subject = `${ACCOUNTS_PREFIX}.${reader}.${type}`;
    return { subject, messageId: `${id}/${reader}`, body, sequence: event.sequence, reader };
  });
}

/** Where a stored message stands, and which service published it. */
export interface StoredPlace {
  readonly source: string;
  readonly sequence: bigint;
  readonly reader: string;
}

/** Reads that out of a message. Null: it is none that this service makes. */
export function placeOf(subject: string, body: string): StoredPlace | null {
  try {
    const { source, sequence } = JSON.parse(body) as { source?: unknown; sequence?: unknown };
    if (typeof source !== 'string' || typeof sequence !== 'string' || !/^[0-9]{16}$/.test(sequence)) return null;
    const reader = subject.startsWith(`${ACCOUNTS_PREFIX}.`) ? (subject.split('.')[2] ?? '') : '';
    return { source, sequence: BigInt(sequence), reader };
  } catch {
    return null;
  }
}

/** The event as a CloudEvent (docs/decisions/events.md#bus); the whole event is its data, as its schema describes it. */
function cloudEvent({ sequence, document }: LoggedEvent, source: string): { id: string; type: string; body: string } {
  const { id, type, timestamp, subject } = headOf({ document });
  const context = {
    specversion: '1.0',
    id,
    source,
    type,
    subject: subject.id,
    time: timestamp,
    datacontenttype: 'application/json',
    dataschema: `${source}${schemaPath(type)}`,
    sequence: sequence.padStart(SEQUENCE_DIGITS, '0'),
  };
  // The document is JSON already; to read and write it anew would cost as much as the rest.
  return { id, type, body: `${JSON.stringify(context).slice(0, -1)},"data":${document}}` };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
