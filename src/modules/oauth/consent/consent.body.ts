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
  /** The limits, of which the one per payment is the cap; null: the scopes that were asked for prepare no payment. */
  limits: SpendLimits | null;
  /** The limits as they were typed. */
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
  const cap = form.getAll('funding_cap').join(' ').trim();
  const limitTexts = mayFund(asked) ? { ...typedLimits(form), per_payment: cap } : NO_TYPED_LIMITS;
  const refused = { scopes, limits: null, limitTexts };
  if (scopes.length === 0) {
    const text = 'Choose at least one, or cancel.';
    return { ...refused, problem: { field: 'scope', text } };
  }
  try {
    return { ...refused, limits: mayFund(asked) ? limitsIn(limitTexts) : null };
  } catch (error) {
    if (!(error instanceof LimitRefused)) throw error;
    const field = error.field === 'per_payment' ? 'funding_cap' : error.field;
    return { ...refused, problem: { field, text: error.reason } };
  }
}
