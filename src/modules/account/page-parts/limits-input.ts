import { LimitRefused, limitsIn, type TypedLimits } from '../../credentials/spending/spend-limit-fields.js';
import type { SpendLimits } from '../../credentials/spending/spend-limits.js';
import { FieldRefused } from './form-problem.js';

/** The limits that the fields of a form mean. @throws FieldRefused. */
export function limitsInput(form: string, typed: TypedLimits): SpendLimits {
  try {
    return limitsIn(typed);
  } catch (error) {
    if (!(error instanceof LimitRefused)) throw error;
    throw new FieldRefused(`${form}-${error.field}`, error.reason);
  }
}
