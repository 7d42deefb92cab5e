import { ApiError } from '../../../platform/http/api-error.js';

/** Why a form was not carried out; shown in the page it came from. */
export interface FormProblem {
  /** Status of the answer, 4xx. */
  status: number;
  /** Sentences for the person. */
  text: string;
  /** Id of the field at fault; absent: the problem is shown above the page's content. */
  field?: string;
}

/** The value of a form field is not valid. */
export class FieldRefused extends Error {
  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * The problem to show for a refused form. Throws the error again when it is no fault of the form: a fault of the
 * service (5xx) or a rate limit (429).
 */
export function problemOf(error: unknown): FormProblem {
  if (error instanceof FieldRefused) return { status: 400, text: error.reason, field: error.field };
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
  return { status: error.status, text: [error.reason, error.suggestion].filter(Boolean).join(' ') };
}
