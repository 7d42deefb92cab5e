import { ruleOf } from '../typed-data/action-kinds.js';
import { callFaults } from './call-faults.js';
import { FOUND } from './check-copy.js';
import { sameAddress } from '../document/evm-address.js';
import { requestDigestOf } from '../hashing/hashing.js';
import type { ExpectedMembers } from '../document/prepared-action.js';
import { expectedByRequest, workSecondsByDeadline } from './request-expectations.js';
import { foundText } from '../document/shown-text.js';
import { failed, type Finding, nowOf, ownMember, passed, sameHex, type Subject, uintOf } from './verification-input.js';

/** Members that a node has on chain, too, so that both can be compared. */
const ON_CHAIN = ['amount', 'worker', 'artifactHash'] as const;
const ZERO_HASH = /^0x0{64}$/;

/** 10: the digest is that of the request as this side sent it. */
export function checkRequest({ action, intent }: Subject): Finding {
  const digest = requestDigestOf(intent.body);
  return sameHex(action['request_digest'], digest) ? passed(digest) : failed(FOUND.requestOther);
}

/** 13: amounts, addresses, hashes and times in the message are those that were asked for, and those on the chain. */
export function checkMembers(subject: Subject): Finding {
  const { form, message, intent, context } = subject;
  const compared: string[] = [];
  const expected = [...flat(expectedByRequest(intent)), ...flat(intent.expects ?? {})];
  for (const [path, wanted] of expected) {
    const found = ownMember(subject, path);
    if (!isSame(found, wanted)) return failed(FOUND.member(path, foundText(found), foundText(String(wanted))));
    if (!compared.includes(path)) compared.push(path);
  }
  const range = workSecondsByDeadline(intent, nowOf(subject), context.deployment.maxActionSeconds);
  if (range !== null) {
    const { least, most } = range;
    const found = uintOf(ownMember(subject, 'terms.workSeconds'));
    if (found === null || found < least || found > most) {
      return failed(FOUND.member('terms.workSeconds', String(found), `${least} to ${most}`));
    }
    compared.push('terms.workSeconds');
  }
  if (form !== 'escrow') {
    if (message['value'] !== ownMember(subject, 'terms.amount')) return failed(FOUND.paymentAmount);
    compared.push('value');
  }
  const { members } = callFaults(subject);
  if (members !== null) return failed(members);
  return (
    chainFault(subject, compared) ??
    passed(compared.length === 0 ? FOUND.nothingAsked : FOUND.membersHold(compared.join(', ')))
  );
}

function chainFault(subject: Subject, compared: string[]): Finding | null {
  const { intent, context } = subject;
  for (const { node } of context.readings) {
    if (node === undefined || node === null) continue;
    for (const name of ON_CHAIN) {
      const found = ownMember(subject, name);
      const read = node[name];
      if (found === undefined || read === undefined) continue;
      if (name === 'amount' && ruleOf(intent.kind)?.amountIsNodes !== true) continue;
      if (name === 'artifactHash' && (intent.kind === 'deliver' || ZERO_HASH.test(String(read)))) continue;
      if (!isSame(found, read)) return failed(FOUND.memberOnChain(name, foundText(found), foundText(String(read))));
      if (!compared.includes(name)) compared.push(name);
    }
  }
  return null;
}

function flat(expected: ExpectedMembers, prefix = ''): [string, string | number | bigint | boolean][] {
  return Object.entries(expected)
    .flatMap(([name, value]) =>
      typeof value === 'object' ? flat(value, `${prefix}${name}.`) : [[prefix + name, value] as const],
    )
    .map(([name, value]) => [name, value]);
}

function isSame(found: unknown, wanted: string | number | bigint | boolean): boolean {
  if (typeof wanted === 'boolean') return found === wanted;
  if (typeof wanted === 'string' && wanted.startsWith('0x')) {
    return wanted.length === 42 ? sameAddress(found, wanted) : sameHex(found, wanted);
  }
  const integer = typeof wanted === 'number' && !Number.isSafeInteger(wanted) ? null : uintOf(String(wanted));
  return integer !== null && uintOf(found) === integer;
}
