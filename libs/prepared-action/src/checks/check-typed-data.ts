import { FIRST_WITHDRAWAL_NONCE, nodeNonceParts } from '#libs/notation';
import { FOUND } from './check-copy.js';
import { keccakText } from '../hashing/hashing.js';
import { formFault } from './eip712-schema-check.js';
import { isObject } from '../document/plain-json.js';
import type { Deployment } from '../document/prepared-action.js';
import { foundText } from '../document/shown-text.js';
import {
  failed,
  type Finding,
  type Form,
  instantOf,
  ownMember,
  passed,
  sameHex,
  type Subject,
  uintOf,
} from './verification-input.js';
import { ESCROW_DOMAIN_NAME, ESCROW_DOMAIN_VERSION } from '../typed-data/typed-data-schemas.js';
import { hashTypedData } from '../typed-data/typed-data-hash.js';

const ESCROW_DOMAIN = { name: ESCROW_DOMAIN_NAME, version: ESCROW_DOMAIN_VERSION };
/**
 * The ways to pay, each at the place that the contract numbers it by (Types.sol, `FundingMode`), with the message that it
 * makes a wallet sign. No request names the last one: it follows from the terms.
 */
export const WAYS_TO_PAY: readonly (readonly [name: string, form: Form])[] = [
  ['allowance', 'escrow'],
  ['authorization', 'authorization'],
  ['permit', 'permit'],
  ['refund_balance', 'escrow'],
  ['parent_node', 'escrow'],
];
/** Seconds that a signature outlives its action, so that one that is signed in the last second can still be mined. */
const MINING_MARGIN = 60n;

/** 8: structs, domain and message have exactly the form that is pinned here for the kind. */
export function checkSchema(subject: Subject): Finding {
  const { payload, form, own, context } = subject;
  if (form === null) return failed(FOUND.primaryType(foundText(payload['primaryType'])));
  const fault = formFault(payload, form === 'escrow' ? ESCROW_DOMAIN : tokenDomain(context.deployment));
  if (fault !== null) return failed(fault);
  if (form !== 'escrow') {
    if (own === null) return failed(FOUND.paymentNotBound);
    if (own['primaryType'] !== subject.rule?.struct) return failed(FOUND.primaryType(foundText(own['primaryType'])));
    const ownFault = formFault(own, ESCROW_DOMAIN);
    if (ownFault !== null) return failed(ownFault);
  }
  if (!isAskedPayment(subject)) return failed(FOUND.notAskedPayment(form));
  return passed(FOUND.schemaHolds(foundText(payload['primaryType'])));
}

/** 9: the message belongs to this very action, and ends with it. */
export function checkBinding(subject: Subject): Finding {
  const { action, form, message, own } = subject;
  const { action_id: actionId, request_digest: requestDigest, nonce } = action;
  const number = uintOf(nonce);
  if (number === null) return failed(FOUND.bound('nonce'));
  if (!isNonceOf(subject, number)) return failed(FOUND.bound('nonce'));
  if (own === null) return failed(FOUND.paymentNotBound);
  const hash = typeof actionId === 'string' ? keccakText(actionId) : null;
  if (!sameHex(ownMember(subject, 'actionId'), hash)) return failed(FOUND.bound('actionId'));
  if (!sameHex(ownMember(subject, 'requestDigest'), requestDigest)) return failed(FOUND.bound('requestDigest'));
  if (ownMember(subject, 'nonce') !== nonce) return failed(FOUND.bound('nonce'));
  if (!endsWithAction(subject, ownMember(subject, 'validUntil'))) return failed(FOUND.bound('validUntil'));
  if (form === 'authorization') {
    if (!sameHex(message['nonce'], hashTypedData(own).digest)) return failed(FOUND.paymentNonce);
    // The token compares with `<`, the escrow with `<=`.
    const last = uintOf(ownMember(subject, 'validUntil'));
    if (last === null || uintOf(message['validBefore']) !== last + 1n) return failed(FOUND.bound('validBefore'));
    if (message['validAfter'] !== '0') return failed(FOUND.bound('validAfter'));
  } else if (form === 'permit') {
    // The call carries the permit's end as the action's own.
    if (message['deadline'] !== ownMember(subject, 'validUntil')) return failed(FOUND.bound('deadline'));
  }
  return passed(FOUND.boundHolds(foundText(nonce)));
}

/** 15: the data that a wallet would sign can be hashed, and has the digest that was shown. */
export function checkDigest({ payload, intent, form }: Subject): Finding {
  if (form === null) return failed(FOUND.digestMissing);
  const { domain, types, primaryType, message } = payload;
  const { digest } = hashTypedData({ domain, types, primaryType, message });
  if (intent.digest !== undefined && !sameHex(intent.digest, digest)) return failed(FOUND.digestOther(digest));
  return passed(FOUND.digest(digest));
}

/** True when message, terms and request are about one way to pay. Nobody gets a permit who has not asked for one. */
function isAskedPayment({ own, form, intent }: Subject): boolean {
  const { funding_mode: asked } = isObject(intent.body) ? intent.body : {};
  const mode = ownMember({ own }, 'fundingMode');
  const isFromNode = ownMember({ own }, 'terms.hirerFunded') === false;
  return WAYS_TO_PAY.some(
    ([name, way], number) =>
      way === form &&
      isFromNode === (name === 'parent_node') &&
      (asked === undefined ? name !== 'permit' : name === asked) &&
      (mode === undefined || mode === `${number}`),
  );
}

/** Name and version of the token's domain. */
function tokenDomain({ usdcName: name, usdcVersion: version }: Deployment): { name: string; version: string } {
  return { name, version };
}

/**
 * True for a nonce that the contract takes for this action. The version of a node that exists is for the check of its
 * state.
 */
function isNonceOf({ rule, own }: Subject, nonce: bigint): boolean {
  if (rule === null || rule.nonce === 'zero') return nonce === 0n;
  if (rule.nonce === 'withdrawal') return nonce >= FIRST_WITHDRAWAL_NONCE;
  const { path, version } = nodeNonceParts(nonce);
  if (rule.nonce === 'new_node' && version !== 0) return false;
  return own === null || rule.nodeMember === null || uintOf(ownMember({ own }, rule.nodeMember)) === path;
}

/** Signatures that are kept outlive their action; all others end within the margin for mining. */
function endsWithAction({ action, rule }: Subject, lastSecond: unknown): boolean {
  const endMs = instantOf(action['expires_at']);
  const last = uintOf(lastSecond);
  if (endMs === null || last === null) return false;
  const end = BigInt(Math.floor(endMs / 1000));
  return last >= end && (rule?.isKept === true || last <= end + MINING_MARGIN);
}
