import { isHex, nodeIdOf, parentPath } from '#libs/notation';
import { type KindRule, ruleOf } from '../typed-data/action-kinds.js';
import { isObject, type Json, type JsonObject, plainJson } from '../document/plain-json.js';
import type { CheckStatus, Context, Intent } from '../document/prepared-action.js';

/** What one check found. */
export interface Finding {
  readonly status: CheckStatus;
  /** One line. */
  readonly detail: string;
}

/** Which message the wallet would sign: the escrow's own, or one of the token's that pays for it. */
export type Form = 'escrow' | 'authorization' | 'permit';

/** The action that is checked, each of its members read once, with what was asked for and the context. */
export interface Subject {
  readonly action: JsonObject;
  /** Null: a kind that is not known here. */
  readonly rule: KindRule | null;
  readonly payload: JsonObject;
  readonly domain: JsonObject;
  readonly message: JsonObject;
  /** Null: another primary type than the kind has. */
  readonly form: Form | null;
  /** Typed data of the escrow's own message, of a payment the one that it is for; null: the payload has none. */
  readonly own: JsonObject | null;
  readonly intent: Intent;
  readonly context: Context;
}

const NOTHING: JsonObject = Object.freeze(Object.create(null));
const PAYMENTS: ReadonlyMap<string, Form> = new Map([
  ['ReceiveWithAuthorization', 'authorization'],
  ['Permit', 'permit'],
]);

/** Reads the subject of the checks from any value; a part that is missing or malformed becomes empty. */
export function subjectOf(value: unknown, intent: Intent, context: Context): Subject {
  const action = objectOf(plainJson(value));
  const payload = objectOf(action['payload']);
  const rule = ruleOf(action['kind']);
  const form = formOf(payload['primaryType'], rule);
  const authorizes = payload['authorizes'];
  return {
    action,
    rule,
    payload,
    domain: objectOf(payload['domain']),
    message: objectOf(payload['message']),
    form,
    own: form === 'escrow' ? payload : form !== null && isObject(authorizes) ? authorizes : null,
    intent,
    context,
  };
}

/** A member of the escrow's own message by its path, such as `terms.amount`. */
export function ownMember({ own }: Pick<Subject, 'own'>, path: string): Json | undefined {
  let value: Json | undefined = own === null ? undefined : own['message'];
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return value;
}

/**
 * Path of the node that `node_id` must name: the one in the escrow's own message; the node above it where somebody is
 * hired. 0 for the buyer; null: the kind is for no node.
 */
export function namedNode(subject: Subject): bigint | null {
  const { rule } = subject;
  if (rule === null || rule.nodeMember === null) return null;
  const path = uintOf(ownMember(subject, rule.nodeMember));
  return path !== null && rule.isUnderNode === true ? parentPath(path) : path;
}

/** True when this identifier is that of the node of the task with this path. */
export function isNodeId(nodeId: unknown, taskId: string, path: bigint | null): boolean {
  try {
    return path !== null && nodeIdOf(taskId, path) === nodeId;
  } catch {
    return false;
  }
}

/**
 * Now in milliseconds: the later of this side's clock and the chain's, by which actions expire. The wallet's own node
 * tells the chain's clock, or else any other that answered.
 */
export function nowOf({ context: { nowMs, readings } }: Subject): number {
  const timed = readings.filter(({ blockTime }) => blockTime !== undefined);
  const { blockTime = 0 } = timed.find(({ source }) => source === 'wallet') ?? timed[0] ?? {};
  return Math.max(nowMs, blockTime * 1000);
}

/** An unsigned integer as our typed data has it; null for anything else. */
export function uintOf(value: unknown): bigint | null {
  return typeof value === 'string' && /^(?:0|[1-9][0-9]{0,77})$/.test(value) ? BigInt(value) : null;
}

/** True when both are hexadecimal and the same bytes. */
export function sameHex(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && isHex(a) && a.toLowerCase() === b.toLowerCase();
}

/** Milliseconds of an ISO 8601 instant in UTC; null for anything else. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

export function passed(detail: string): Finding {
  return { status: 'passed', detail };
}

export function failed(detail: string): Finding {
  return { status: 'failed', detail };
}

export function unknown(detail: string): Finding {
  return { status: 'unknown', detail };
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : NOTHING;
}

function formOf(primaryType: Json | undefined, rule: KindRule | null): Form | null {
  if (rule === null || typeof primaryType !== 'string') return null;
  if (primaryType === rule.struct) return 'escrow';
  return (rule.takesMoney && PAYMENTS.get(primaryType)) || null;
}
