import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { labelledField } from '../../../platform/pages/labelled-field.js';
import {
  type LimitField,
  LIMIT_FIELDS,
  limitTexts,
  type TypedLimits,
} from '../../credentials/spending/spend-limit-fields.js';
import { isUnlimited, type SpendLimits } from '../../credentials/spending/spend-limits.js';
import { limitAttributes } from '../../oauth/consent/consent-page.js';
import type { AccountFrame } from './account-page.js';
import type { FormProblem } from './form-problem.js';
import { formStart, hiddenField } from './post-button.js';

/** A form of limits that was refused, to be shown again as it was typed. */
export interface LimitsDraft {
  /** As of `labelledField`. */
  readonly form: string;
  readonly typed: TypedLimits;
}

interface LowerLimitsForm {
  /** As of `labelledField`. */
  form: string;
  /** Target path of the form, without the base URL's path. */
  path: string;
  /** Hidden fields of the form. */
  values?: Readonly<Record<string, string>>;
  /** Sentences about what the form does. */
  words: string;
  /** Whose limits they are; a screen reader reads it after the button's text. */
  about: string;
  /** The limits as they are. */
  limits: SpendLimits;
  draft: LimitsDraft | undefined;
}

const TEXTS: Readonly<Record<LimitField, { readonly label: string; readonly hint: string }>> = {
  per_payment: { label: 'Per payment (USDC)', hint: 'For example 25.00. Empty: no limit.' },
  per_day: { label: 'Per day (USDC)', hint: 'Of all payments that it asks for on one day in UTC.' },
  total: { label: 'In total (USDC)', hint: 'Of all payments that it ever asks for. It does not refill.' },
  counterparties: { label: 'Only to these wallets', hint: 'Addresses. Separate several with spaces. Empty: anybody.' },
};

/** The four fields of spending limits. @param form as of `labelledField`. */
export function limitFields(form: string, typed: TypedLimits, problem: FormProblem | null): SafeHtml {
  return markup`${LIMIT_FIELDS.map((name) =>
    labelledField({ form, name, ...TEXTS[name], value: typed[name], attributes: limitAttributes(name) }, problem),
  )}`;
}

/** The form that lowers limits, folded away unless it was refused. */
export function lowerLimitsForm(
  frame: AccountFrame,
  { form, path, values = {}, words, about, limits, draft }: LowerLimitsForm,
): SafeHtml {
  const refused = draft?.form === form ? draft.typed : null;
  return markup`<div class="field"><details${refused === null ? markup`` : markup` open`}>
<summary class="button">${isUnlimited(limits) ? 'Limit its payments' : 'Lower its limits'}</summary>
<p>${words}</p>
${formStart(frame, path)}${Object.entries(values).map(([name, value]) => hiddenField(name, value))}${limitFields(form, refused ?? limitTexts(limits), frame.problem)}<button aria-label="Save limits: ${about}">Save limits</button>
</form>
</details></div>
`;
}

/** True when a problem is about one of the fields. */
export function isAboutLimits(form: string, problem: FormProblem | null): boolean {
  return LIMIT_FIELDS.some((field) => problem?.field === `${form}-${field}`);
}
