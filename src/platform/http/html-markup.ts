/** Text that is already HTML. Only `markup` makes it, so any other text is escaped. */
export class SafeHtml {
  constructor(readonly text: string) {}
}

type Fragment = string | number | SafeHtml | readonly SafeHtml[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML of a template; every value in it is escaped for element content and quoted attributes unless it is SafeHtml. */
export function markup(strings: TemplateStringsArray, ...values: readonly Fragment[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(textOf)));
}

function textOf(value: Fragment): string {
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
