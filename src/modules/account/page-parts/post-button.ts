import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';

/** What a form of these pages needs: the base URL, and the form token for its path. */
export interface FormMaker {
  baseUrl: string;
  tokenFor: (path: string) => string;
}

interface PostButton {
  /** Target path of the form, without the base URL's path. */
  path: string;
  text: string;
  /** What the button acts on. A screen reader reads it after the text, so that equal buttons can be told apart. */
  about?: string;
  /** Hidden fields of the form. */
  values?: Readonly<Record<string, string>>;
  /** True: the effect cannot be undone. */
  isFinal?: boolean;
}

/** A form that shows nothing but one button, for an action without further input. */
export function postButton(
  maker: FormMaker,
  { path, text, about, values = {}, isFinal = false }: PostButton,
): SafeHtml {
  const label = about === undefined ? markup`` : markup` aria-label="${text}: ${about}"`;
  const look = isFinal ? markup` class="danger"` : markup``;
  return markup`${formStart(maker, path)}${Object.entries(values).map(([name, value]) => hiddenField(name, value))}<button${look}${label}>${text}</button>
</form>
`;
}

/** The beginning of a form, with its token. */
export function formStart({ baseUrl, tokenFor }: FormMaker, path: string, { hidden = false } = {}): SafeHtml {
  return markup`<form method="post" action="${publicPath(baseUrl, path)}"${hidden ? markup` hidden` : markup``}>
${hiddenField('form_token', tokenFor(path))}`;
}

/** A hidden field, which sends a value with a form. */
export function hiddenField(name: string, value: string): SafeHtml {
  return markup`<input type="hidden" name="${name}" value="${value}">
`;
}
