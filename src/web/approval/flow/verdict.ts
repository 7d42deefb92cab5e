import {
  confirmedFacts,
  describeAction,
  isSignable,
  type PreparedAction,
  readingFromJson,
  verifyPreparedAction,
} from '#libs/prepared-action';
import { intentOf } from '../service/page-facts.js';
import { isSameAddress } from './screen.js';
import type { ApprovalDocument } from '#libs/approval-wire';
import type { ApprovalState, Verdict } from './state.js';

/**
 * What the fifteen checks say at this moment, with what the service's node and the wallet's own node report. An account
 * that is not the expected one is not held against the request: the page asks for the other account instead.
 */
export function verdictOf(state: ApprovalState): Verdict | null {
  const { document, facts, nowMs, connection, findings } = state;
  if (document === null) return null;
  const account = connection.at === 'connected' ? connection.account.address : '';
  const isExpected = isSameAddress(account, facts.wallet);
  const ofWallet = isExpected ? findings?.reading : null;
  const checks = verifyPreparedAction(checkedAction(document, nowMs), intentOf(facts, document), {
    deployment: facts.deployment,
    nowMs,
    ...(isExpected && { connectedWallet: account }),
    readings: [readingFromJson(document.service_reading), ofWallet].filter((reading) => !!reading),
  });
  const description = describeAction(
    document.action,
    confirmedFacts(facts.kind, { ...document.facts, nowMs }, facts.tree, ofWallet?.node),
  );
  if (document.next) description?.next.push(document.next);
  return { checks, isSignable: isSignable(checks), description };
}

/**
 * The action as it is checked now. One that was signed in time may be sent until its signature's own end, which the
 * chain enforces, so that end counts instead of the action's.
 */
function checkedAction({ action, signed }: ApprovalDocument, nowMs: number): PreparedAction {
  if (signed === undefined || nowMs < Date.parse(action.expires_at)) return action;
  return { ...action, expires_at: signed.valid_until };
}
