import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { type LimitField, LIMIT_FIELDS, type TypedLimits } from '../../credentials/spending/spend-limit-fields.js';
import type { FormProblem } from './form-problem.js';
import { labelledField } from './labelled-field.js';

const TEXTS: Readonly<Record<LimitField, { readonly label: string; readonly hint: string }>> = {
  per_payment: { label: 'Per payment (USDC)', hint: 'For example 25.00. Empty: no limit.' },
  per_day: { label: 'Per day (USDC)', hint: 'Of all payments that it asks for on one day in UTC.' },
  total: { label: 'In total (USDC)', hint: 'Of all payments that it ever asks for. It does not refill.' },
  counterparties: { label: 'Only to these wallets', hint: 'Addresses. Separate several with spaces. Empty: anybody.' },
};

/** The four fields of spending limits. @param form as of `labelledField`. */
export function limitFields(form: string, typed: TypedLimits, problem: FormProblem | null): SafeHtml {
  return markup`${LIMIT_FIELDS.map((name) =>
    labelledField(
      {
        form,
        name,
        ...TEXTS[name],
        value: typed[name],
        attributes:
          name === 'counterparties'
            ? markup` class="mono" maxlength="2400" autocapitalize="none" spellcheck="false"`
            : markup` class="short" inputmode="decimal" maxlength="40"`,
      },
      problem,
    ),
  )}`;
}

/** True when a problem is about one of the fields. */
export function isAboutLimits(form: string, problem: FormProblem | null): boolean {
  return LIMIT_FIELDS.some((field) => problem?.field === `${form}-${field}`);
}
