import { markup, type SafeHtml } from '../../../platform/http/html-page.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';

/** What a form of ours needs to be sent. */
export interface FormMaker {
  baseUrl: string;
  tokenFor: (path: string) => string;
}

interface PostButton {
  /** Where it is sent, without the base URL's path. */
  path: string;
  text: string;
  /** What it is for, for who hears one button of many: read after the text. */
  about?: string;
  /** What is sent with it. */
  values?: Readonly<Record<string, string>>;
  /** True: what it does cannot be taken back. */
  isFinal?: boolean;
}

/** One button that does one thing at once. */
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

/** A value that is sent with a form. */
export function hiddenField(name: string, value: string): SafeHtml {
  return markup`<input type="hidden" name="${name}" value="${value}">
`;
}
