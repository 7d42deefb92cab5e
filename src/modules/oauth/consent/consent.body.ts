import { MAX_REQUESTED_UNITS, parseUsdc } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Scope } from '../../credentials/scope.js';
import {
  LimitRefused,
  limitsIn,
  NO_TYPED_LIMITS,
  type TypedLimits,
  typedLimits,
} from '../../credentials/spending/spend-limit-fields.js';
import type { SpendLimits } from '../../credentials/spending/spend-limits.js';
import { type ConsentProblem, mayFund } from './consent-page.js';

/** The person's choice in the consent form. */
export interface ConsentChoice {
  /** The allowed scopes, in the order of the request; empty only with a problem. */
  scopes: Scope[];
  /** Most USDC base units of one prepared funding; null = no cap. */
  fundingCap: bigint | null;
  /** The cap as it was typed. */
  fundingCapText: string;
  /** The other limits; null: the scopes that were asked for prepare no payment. */
  limits: SpendLimits | null;
  /** These limits as they were typed. */
  limitTexts: TypedLimits;
  /** Present when the form must be shown again; then nothing is decided. */
  problem?: ConsentProblem;
}

/**
 * Reads the consent form. Refuses a scope that was not requested, because this service's page does not offer it.
 * @throws ApiError `invalid_request`.
 */
export function readConsent(form: URLSearchParams, asked: readonly Scope[]): ConsentChoice {
  const named = new Set(form.getAll('scope'));
  const scopes = asked.filter((scope) => named.delete(scope));
  if (named.size > 0) {
    throw new ApiError(
      'invalid_request',
      'The form allows something that the application did not ask for.',
      'Go back to the application and connect it again.',
    );
  }
  // A field that comes twice must give an invalid amount; `fieldOf` would give an empty text, which means no cap.
  const fundingCapText = mayFund(asked) ? form.getAll('funding_cap').join(' ').trim() : '';
  // The cap is the limit of one payment here.
  const limitTexts = mayFund(asked) ? { ...typedLimits(form), per_payment: '' } : NO_TYPED_LIMITS;
  const refused = { scopes, fundingCap: null, fundingCapText, limits: null, limitTexts };
  if (scopes.length === 0) {
    const text = 'Choose at least one, or cancel.';
    return { ...refused, problem: { field: 'scope', text } };
  }
  const fundingCap = capOf(fundingCapText);
  if (fundingCap === undefined) {
    const text = 'Write the amount as digits with at most six decimals, such as 250.00; at most 1000000000000.';
    return { ...refused, problem: { field: 'funding_cap', text } };
  }
  try {
    const limits = mayFund(asked) ? { ...limitsIn(limitTexts), perPayment: fundingCap } : null;
    return { ...refused, fundingCap, limits };
  } catch (error) {
    if (!(error instanceof LimitRefused)) throw error;
    return { ...refused, problem: { field: error.field, text: error.reason } };
  }
}

/** Base units; null for no cap, undefined for an invalid amount. Zero is a valid cap. */
function capOf(text: string): bigint | null | undefined {
  if (text === '') return null;
  try {
    const units = parseUsdc(text);
    return units <= MAX_REQUESTED_UNITS ? units : undefined;
  } catch {
    return undefined;
  }
}
