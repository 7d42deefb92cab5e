import { isObject, type Json } from '../document/plain-json.js';
import type { Intent } from '../document/prepared-action.js';
import { ownMember, type Subject } from './verification-input.js';

/** How the contract numbers the ways to pay (Types.sol, `FundingMode`), by the names that a request has for them. */
const MODES: Readonly<Record<string, string>> = {
  allowance: '0',
  authorization: '1',
  permit: '2',
  refund_balance: '3',
};
const PARENT_NODE = '4';

/** The way to pay that the request names; null: it leaves that to the service. */
export function askedPayment({ body }: Intent): string | null {
  const asked: unknown = isObject(body) ? body['funding_mode'] : undefined;
  return typeof asked === 'string' ? asked : null;
}

/** The ways to pay that fit the message and the request, as the contract numbers them. */
export function fundingModes(subject: Subject): readonly (Json | undefined)[] {
  const { form, intent } = subject;
  if (form === 'authorization' || form === 'permit') return [MODES[form]];
  if (ownMember(subject, 'terms.hirerFunded') === false) return [PARENT_NODE];
  const asked = askedPayment(intent);
  return asked === null ? [MODES['allowance'], MODES['refund_balance']] : [MODES[asked]];
}
