import { checkContract, checkEscrow } from './check-contract.js';
import { checkChain, checkKind, checkPrincipal, checkSigningUrl, checkTarget, checkWallet } from './check-envelope.js';
import { checkMembers, checkRequest } from './check-request.js';
import { checkExpiry, checkState } from './check-state.js';
import { checkBinding, checkDigest, checkSchema } from './check-typed-data.js';
import { CHECK_WORDS, FOUND } from './check-copy.js';
import type { Check, CheckNumber, Context, Intent } from '../document/prepared-action.js';
import { failed, type Finding, type Subject, subjectOf } from './verification-input.js';

const CHECKS: readonly (readonly [CheckNumber, (subject: Subject) => Finding])[] = [
  [1, checkKind],
  [2, checkPrincipal],
  [3, checkWallet],
  [4, checkTarget],
  [5, checkChain],
  [6, checkContract],
  [7, checkEscrow],
  [8, checkSchema],
  [9, checkBinding],
  [10, checkRequest],
  [11, checkExpiry],
  [12, checkState],
  [13, checkMembers],
  [14, checkSigningUrl],
  [15, checkDigest],
];
/**
 * The only check that may be unknown when a wallet is asked to sign: the contract itself refuses what this check would.
 */
const MAY_BE_UNKNOWN: readonly CheckNumber[] = [12];

/**
 * The fifteen checks of a returned action against what was asked for (docs/decisions/interface.md#fifteen-checks),
 * always all of them and in their order. The action may be anything; a part that cannot be read has failed. Never
 * throws.
 */
export function verifyPreparedAction(action: unknown, intent: Intent, context: Context): Check[] {
  const subject = subjectOf(action, intent, context);
  return CHECKS.map(([number, check]) => ({ number, ...CHECK_WORDS[number], ...findingOf(check, subject) }));
}

/** True when a wallet may be asked to sign: all fifteen are there, none failed, and what must be known is known. */
export function isSignable(checks: readonly Check[]): boolean {
  return CHECKS.every(([number]) => {
    const rows = checks.filter((check) => check.number === number);
    const [row] = rows;
    if (row === undefined || rows.length !== 1) return false;
    return row.status === 'passed' || (row.status === 'unknown' && MAY_BE_UNKNOWN.includes(number));
  });
}

function findingOf(check: (subject: Subject) => Finding, subject: Subject): Finding {
  try {
    return check(subject);
  } catch {
    return failed(FOUND.unreadable);
  }
}
