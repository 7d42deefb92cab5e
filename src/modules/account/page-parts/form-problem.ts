import { ApiError } from '../../../platform/http/api-error.js';

/** Why a form was not carried out; shown in the page it came from. */
export interface FormProblem {
  /** Status of the answer, 4xx. */
  status: number;
  /** Sentences of ours. */
  text: string;
  /** Name of the field at fault; absent: it stands above the page's content. */
  field?: string;
}

/** A field of a form that cannot be taken as it stands. */
export class FieldRefused extends Error {
  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** What to show for a refusal. Faults of the service, and who calls too often, are no matter of the form: thrown again. */
export function problemOf(error: unknown): FormProblem {
  if (error instanceof FieldRefused) return { status: 400, text: error.reason, field: error.field };
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
  return { status: error.status, text: [error.reason, error.suggestion].filter(Boolean).join(' ') };
}
