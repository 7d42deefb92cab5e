import { formatUsdc, parseUsdc } from '#libs/notation';
import { isActionKind } from '../typed-data/action-kinds.js';
import { checksumOf, isAddressText, ZERO_ADDRESS } from '../document/evm-address.js';
import { requestDigestOf, sha256Text } from '../hashing/hashing.js';
import { isObject, type Json, type JsonObject, plainJson } from '../document/plain-json.js';
import type { ExpectedMembers, Intent } from '../document/prepared-action.js';

/** Windows, in seconds, of terms that name none. rule: docs/decisions/interface.md#fields-and-ranges */
const DEFAULT_ACCEPT_WINDOW = 259_200;
const DEFAULT_DELIVERY_WINDOW = 604_800;
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
      return { terms: present({ acceptWindow: members['accept_window_seconds'] }) };
    case 'deliver':
      return present({ artifactHash: members['artifact_hash'] });
    case 'reject_task':
      return { reasonHash: typeof members['reason'] === 'string' ? sha256Text(members['reason']) : ZERO_HASH };
    case 'dispute_node':
      return { evidenceHash: textOf(members['evidence_hash']) ?? ZERO_HASH };
    case 'withdraw_earnings':
    case 'withdraw_refund':
      return present({ recipient: members['destination'] });
    case 'select_agent':
    case 'fund_task':
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
  const isRoot = body['parent_node_id'] === undefined;
  return {
    amount: amountOf(body['price']),
    deliverBy: secondsOf(body['deadline']),
    hirerFunded: typeof body['hirer_funded'] === 'boolean' ? body['hirer_funded'] : isRoot,
    ...present({ termsHash: body['terms_hash'], acceptWindow: body['accept_window_seconds'] }),
  };
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

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
