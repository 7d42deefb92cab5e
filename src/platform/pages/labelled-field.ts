import { markup, type SafeHtml } from '../http/html-markup.js';

interface LabelledField {
  /** Tells fields of the same name on one page apart: the id is `{form}-{name}`; without it the name. */
  form?: string;
  name: string;
  label: string;
  hint?: string;
  /** Initial value: the one that was sent, or the default. */
  value: string;
  type?: 'text' | 'number' | 'datetime-local';
  /** Further attributes, written by the page. */
  attributes?: SafeHtml;
}

/** What is wrong with a form that was sent. */
export interface FieldProblem {
  /** Id of the field at fault. */
  readonly field?: string | undefined;
  /** Sentences for the person. */
  readonly text: string;
}

/**
 * A form field with its label, its hint and, when `problem` is about it, the error. A faulty field gets the focus when
 * the page opens.
 */
export function labelledField(field: LabelledField, problem: FieldProblem | null): SafeHtml {
  const { form, name, label, hint, value, type = 'text', attributes = markup`` } = field;
  const id = form === undefined ? name : `${form}-${name}`;
  const fault = problem?.field === id ? problem : null;
  const described = [fault ? `${id}-fault` : '', hint === undefined ? '' : `${id}-hint`].filter(Boolean).join(' ');
  return markup`<div class="field">
<label for="${id}">${label}</label>
${hint === undefined ? markup`` : markup`<p class="hint" id="${id}-hint">${hint}</p>\n`}<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="off"${
    described === '' ? markup`` : markup` aria-describedby="${described}"`
  }${fault ? markup` aria-invalid="true" autofocus` : markup``}${attributes}>
${fault ? markup`<p class="error" id="${id}-fault" role="alert">${fault.text}</p>\n` : markup``}</div>
`;
}
