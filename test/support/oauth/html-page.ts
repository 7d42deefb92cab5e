/** One form of a page, with what it would send unchanged. */
export interface HtmlForm {
  /** Absolute address. */
  action: URL;
  method: string;
  /** Fields in their order; a box that is not ticked has `checked` false. */
  fields: { name: string; value: string; type: string; checked: boolean }[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const SIGN_IN = 'wants you to sign in with your Ethereum account';

/** A page of the service, read without a browser: its forms and its text. */
export class HtmlPage {
  constructor(
    readonly url: URL,
    readonly status: number,
    readonly headers: Headers,
    readonly html: string,
  ) {}

  get forms(): HtmlForm[] {
    return [...this.html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, attributes = '', body = '']) => ({
      action: new URL(attribute(attributes, 'action') ?? this.url.href, this.url),
      method: (attribute(attributes, 'method') ?? 'get').toLowerCase(),
      fields: fieldsOf(body),
    }));
  }

  /** The form whose address ends with this. @throws with the forms that there are. */
  form(ending: string): HtmlForm {
    const found = this.forms.find(({ action, method }) => method === 'post' && action.pathname.endsWith(ending));
    if (found) return found;
    const others = this.forms.map(({ action }) => action.pathname).join(', ') || 'none';
    throw new Error(
      `No form to ${ending} on ${this.url.pathname} (${this.status}); there are: ${others}\n${this.text}`,
    );
  }

  has(ending: string): boolean {
    return this.forms.some(({ action, method }) => method === 'post' && action.pathname.endsWith(ending));
  }

  /** The visible text, in one line. */
  get text(): string {
    const visible = this.html.replaceAll(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ').replaceAll(/<[^>]*>/g, ' ');
    return decoded(visible).replaceAll(/\s+/g, ' ').trim();
  }

  /** The exact message that the wallet must sign. */
  get message(): string {
    const blocks = [...this.html.matchAll(/<(pre|textarea)\b[^>]*>([\s\S]*?)<\/\1>/gi)];
    const message = blocks.map(([, , text = '']) => decoded(text.replaceAll(/<[^>]*>/g, ''))).find(isSignIn);
    if (message === undefined) throw new Error(`No message to sign on ${this.url.pathname}:\n${this.text}`);
    // HTML drops one line break right after the opening tag.
    return message.replace(/^\r?\n/, '');
  }
}

function isSignIn(text: string): boolean {
  return text.includes(SIGN_IN);
}

function fieldsOf(body: string): HtmlForm['fields'] {
  const elements = body.matchAll(/<(input|button|textarea)\b([^>]*)>(?:([\s\S]*?)<\/\1>)?/gi);
  return [...elements].flatMap(([, element = '', attributes = '', content = '']) => {
    const name = attribute(attributes, 'name');
    if (name === null) return [];
    const type = element.toLowerCase() === 'input' ? (attribute(attributes, 'type') ?? 'text') : element.toLowerCase();
    const value =
      type === 'textarea' ? decoded(content) : (attribute(attributes, 'value') ?? (isBox(type) ? 'on' : ''));
    return [{ name, value, type, checked: /\schecked(?=[\s=>/]|$)/i.test(attributes) }];
  });
}

/** True for inputs that send nothing unless they are ticked. */
export function isBox(type: string): boolean {
  return type === 'checkbox' || type === 'radio';
}

function attribute(attributes: string, name: string): string | null {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(attributes);
  return match ? decoded(match[1] ?? match[2] ?? match[3] ?? '') : null;
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? whole;
  });
}
