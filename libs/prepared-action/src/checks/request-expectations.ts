import { formatUsdc, parseUsdc } from '#libs/notation';
import { isActionKind } from '../typed-data/action-kinds.js';
import { checksumOf, isAddressText, ZERO_ADDRESS } from '../document/evm-address.js';
import { requestDigestOf, sha256Text } from '../hashing/hashing.js';
import { isObject, type Json, type JsonObject, plainJson } from '../document/plain-json.js';
import type { ExpectedMembers, Intent } from '../document/prepared-action.js';

/** Windows, in seconds, of terms that name none. rule: docs/decisions/interface.md#fields-and-ranges */
const DEFAULT_ACCEPT_WINDOW = 259_200;
const DEFAULT_DELIVERY_WINDOW = 604_800;
/** Deliveries after a rejection of an offer that names no number. rule: docs/decisions/interface.md#fields-and-ranges */
const DEFAULT_REVISIONS = 3;
/** Seconds that the clocks of both sides may differ. */
const MAX_SKEW = 60;
const ZERO_HASH = `0x${'0'.repeat(64)}`;

/**
 * The members of the escrow's own struct that follow from the request's body, each with the value that it must have.
 * Throws on a body that the service would have refused.
 */
export function expectedByRequest({ kind, body }: Intent): ExpectedMembers {
  const sent = plainJson(body);
  const members = isObject(sent) ? sent : {};
  if (!isActionKind(kind)) return {};
  switch (kind) {
    case 'create_task':
      return createTask(members);
    case 'submit_quote':
      return { terms: offer(members), ...until(members['valid_until']) };
    case 'subcontract':
      return {
        terms: {
          ...present({ acceptWindow: members['accept_window_seconds'] }),
          // Only what comes from the hirer's wallet can be paid in one way or another.
          ...(members['funding_mode'] === undefined ? {} : { hirerFunded: true }),
        },
      };
    case 'select_agent':
    case 'fund_task':
      return { terms: { hirerFunded: true } };
    case 'deliver':
      return { ...present({ artifactHash: members['artifact_hash'] }), payOut: flagOf(members['pay_out'], true) };
    case 'reject_task':
      return { reasonHash: typeof members['reason'] === 'string' ? sha256Text(members['reason']) : ZERO_HASH };
    case 'dispute_node':
      return { evidenceHash: textOf(members['evidence_hash']) ?? ZERO_HASH };
    case 'withdraw_earnings':
    case 'withdraw_refund':
      return present({ recipient: members['destination'], account: members['wallet'] });
    case 'resolve_task':
    case 'abandon_node':
    case 'claim_non_delivery':
      return {};
  }
}

/** The frozen terms are hashed as the service freezes them: with its defaults, and the budget in its canonical form. */
function createTask(body: JsonObject): ExpectedMembers {
  const budget = amountOf(body['budget']);
  const named = textOf(body['arbiter']);
  const arbiter = isAddressText(named) ? checksumOf(named) : ZERO_ADDRESS;
  const termsHash = requestDigestOf({
    brief: body['brief'],
    criteria: body['criteria'] ?? [],
    budget: { amount: formatUsdc(budget), currency: 'USDC' },
    accept_window_seconds: body['accept_window_seconds'] ?? DEFAULT_ACCEPT_WINDOW,
    delivery_window_seconds: body['delivery_window_seconds'] ?? DEFAULT_DELIVERY_WINDOW,
    arbiter,
  });
  return { budget, arbiter, termsHash, ...until(body['deadline']) };
}

function offer(body: JsonObject): ExpectedMembers {
  const amount = amountOf(body['price']);
  const isRoot = body['parent_node_id'] === undefined;
  return {
    amount,
    floor: body['floor'] === undefined ? amount / 2n : amountOf(body['floor']),
    maxRevisions: typeof body['max_revisions'] === 'number' ? body['max_revisions'] : DEFAULT_REVISIONS,
    hirerFunded: flagOf(body['hirer_funded'], isRoot),
    ...present({
      termsHash: body['terms_hash'],
      workSeconds: body['work_seconds'],
      acceptWindow: body['accept_window_seconds'],
    }),
  };
}

/**
 * The least and the greatest `terms.workSeconds` of an offer that names a deadline instead: the seconds from the moment
 * of preparation until then, and an action is prepared for at most `maxActionSeconds`. Null: the request names none.
 * Throws TypeError when it is no instant.
 */
export function workSecondsByDeadline(
  { kind, body }: Intent,
  nowMs: number,
  maxActionSeconds: number,
): { readonly least: number; readonly most: number } | null {
  const sent = plainJson(body);
  if (kind !== 'submit_quote' || !isObject(sent) || sent['deadline'] === undefined) return null;
  const left = secondsOf(sent['deadline']) - Math.floor(nowMs / 1000);
  return { least: left - MAX_SKEW, most: left + maxActionSeconds + MAX_SKEW };
}

function until(instant: Json | undefined): ExpectedMembers {
  return instant === undefined ? {} : { validUntil: secondsOf(instant) };
}

/** The members that the body names. */
function present(members: Readonly<Record<string, Json | undefined>>): ExpectedMembers {
  const given = Object.entries(members).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(given);
}

function amountOf(money: Json | undefined): bigint {
  const amount = isObject(money) ? money['amount'] : undefined;
  if (typeof amount !== 'string') throw new TypeError('The request names no amount');
  return parseUsdc(amount);
}

/** Whole seconds of an instant; parts of a second are dropped, as the service drops them. */
function secondsOf(instant: Json | undefined): number {
  const ms = typeof instant === 'string' ? Date.parse(instant) : Number.NaN;
  if (Number.isNaN(ms)) throw new TypeError('The request names no instant');
  return Math.floor(ms / 1000);
}

function flagOf(value: Json | undefined, absent: boolean): boolean {
  return typeof value === 'boolean' ? value : absent;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
