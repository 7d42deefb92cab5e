import { randomWallet } from '../random-wallet.js';
import { CookieJar } from './cookie-jar.js';
import { type HtmlForm, HtmlPage, isBox } from './html-page.js';

/** A wallet: its address, and how it signs a text (EIP-191). */
export interface PersonWallet {
  address: string;
  signMessage(message: string): Promise<string>;
}

/** What a person decides on the consent page. */
export interface Consent {
  /** The boxes that stay ticked; by default all that were asked for. */
  scopes?: readonly string[];
  /** Decimal USDC. */
  fundingCap?: string;
  /** Fields of further spending limits. */
  limits?: Readonly<Record<string, string>>;
}

/** Members of a form: a list sends the name several times, null leaves it out. */
export type FormValues = Readonly<Record<string, string | readonly string[] | null>>;

/** Where a request ended: a page of the service, or an address outside it to which the service redirected. */
export type Arrival = { page: HtmlPage; redirect: null } | { page: null; redirect: URL };

const MOST_REDIRECTS = 12;
const ANSWER_MS = 20_000;

/**
 * A person who uses one service without a browser: keeps cookies, follows redirects within the service, submits the
 * forms of its HTML as a browser would, and signs with a wallet.
 */
export class Person {
  /** Every request with its path and status, the newest last. */
  readonly trail: { method: string; path: string; status: number }[] = [];
  /** Every signature made, so that specs can search for it where it must not be. */
  readonly signatures: string[] = [];

  constructor(
    readonly baseUrl: string,
    readonly wallet: PersonWallet = randomWallet(),
    readonly jar = new CookieJar(),
    private readonly fetch: typeof globalThis.fetch = globalThis.fetch,
  ) {}

  /** Opens an authorization URL, signs in if asked, and allows. @returns the redirect to the client. */
  async authorize(url: URL | string, consent: Consent = {}): Promise<URL> {
    const page = await this.consentPage(url);
    return redirected(await this.allow(page, consent));
  }

  /** Like `authorize`, but stops at the consent page. @returns that page. */
  async consentPage(url: URL | string): Promise<HtmlPage> {
    let page = shown(await this.open(url));
    if (page.has('/challenge') && !page.has('/consent')) page = shown(await this.signIn(page));
    return page;
  }

  /** Allows on the consent page. @returns where that ended. */
  allow(page: HtmlPage, { scopes, fundingCap, limits = {} }: Consent = {}): Promise<Arrival> {
    const form = page.form('/consent');
    const asked = form.fields.filter(({ name }) => name === 'scope').map(({ value }) => value);
    return this.submit(page, form, {
      scope: scopes ?? asked,
      ...(fundingCap === undefined ? {} : { funding_cap: fundingCap }),
      ...limits,
    });
  }

  cancel(page: HtmlPage): Promise<Arrival> {
    return this.submit(page, page.form('/cancel'));
  }

  /** Requests the message for the person's address, signs it and submits the signature. @returns where that ended. */
  async signIn(page: HtmlPage): Promise<Arrival> {
    const asked = await this.challenge(page);
    return this.answer(asked, await this.sign(asked.message));
  }

  /** Requests the message to sign. @returns the page that shows it. */
  async challenge(page: HtmlPage, address = this.wallet.address): Promise<HtmlPage> {
    return shown(await this.submit(page, page.form('/challenge'), { address }));
  }

  /** Submits a signature for the page's message. */
  answer(page: HtmlPage, signature: string, values: FormValues = {}): Promise<Arrival> {
    return this.submit(page, proofForm(page), { signature, ...values });
  }

  async sign(message: string): Promise<string> {
    const signature = await this.wallet.signMessage(message);
    this.signatures.push(signature);
    return signature;
  }

  /** Signs in on the account pages. @returns the account's first page. */
  async signInToAccount(): Promise<HtmlPage> {
    return shown(await this.signIn(shown(await this.open(`${this.baseUrl}/account/sign-in`))));
  }

  /** Submits the page's form, with these values in place of its own. */
  submit(
    page: HtmlPage,
    form: HtmlForm,
    values: FormValues = {},
    headers: Record<string, string> = {},
  ): Promise<Arrival> {
    return this.open(form.action, {
      method: 'POST',
      body: formBody(form, values),
      headers: { Origin: page.url.origin, Referer: page.url.href, ...headers },
    });
  }

  /** Requests an address and follows 303s (and 302s of a GET) within the service. */
  async open(
    url: URL | string,
    init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> } = {},
  ): Promise<Arrival> {
    let target = new URL(url, this.baseUrl);
    let { method = 'GET', body, headers } = init;
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      const response = await this.request(target, { method, body, headers });
      const location = response.headers.get('Location');
      if (response.status < 300 || response.status > 399 || location === null) {
        return { page: new HtmlPage(target, response.status, response.headers, await response.text()), redirect: null };
      }
      await response.body?.cancel();
      target = new URL(location, target);
      if (!this.isOfService(target)) return { page: null, redirect: target };
      // A 307 or 308 would submit a form twice, so no page may answer with one.
      if (response.status !== 302 && response.status !== 303)
        throw new Error(`${method} was redirected by ${response.status}`);
      [method, body, headers] = ['GET', undefined, undefined];
    }
    throw new Error(`More than ${MOST_REDIRECTS} redirects from ${new URL(url, this.baseUrl).pathname}`);
  }

  /** Sends one request with the person's cookies, without following redirects. */
  async request(
    url: URL | string,
    {
      method = 'GET',
      body,
      headers = {},
    }: { method?: string; body?: URLSearchParams; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const target = new URL(url, this.baseUrl);
    const response = await this.fetch(target, {
      method,
      redirect: 'manual',
      headers: { Accept: 'text/html', ...this.jar.header(target), ...headers },
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body === undefined ? {} : { body }),
    });
    this.jar.take(target, response.headers);
    this.trail.push({ method, path: target.pathname, status: response.status });
    return response;
  }

  private isOfService(target: URL): boolean {
    const base = new URL(this.baseUrl);
    const prefix = base.pathname === '/' ? '' : base.pathname;
    return target.origin === base.origin && (target.pathname === prefix || target.pathname.startsWith(`${prefix}/`));
  }
}

/** The page that an action led to. @throws when it led out of the service. */
export function shown({ page, redirect }: Arrival): HtmlPage {
  if (page !== null) return page;
  const { origin, pathname, searchParams } = redirect;
  const error = searchParams.get('error') ?? 'no error';
  const words = searchParams.get('error_description') ?? '';
  throw new Error(`Expected a page, got a redirect to ${origin}${pathname} (${error}) ${words}`);
}

/** The address outside the service that an action led to. @throws with the page when it led to one. */
export function redirected({ page, redirect }: Arrival): URL {
  if (redirect === null) throw new Error(`Expected a redirect, got ${page.status} ${page.url.pathname}:\n${page.text}`);
  return redirect;
}

/** The form for the challenge that the page shows. The form that the page's script fills in names no challenge yet. */
export function proofForm(page: HtmlPage): HtmlForm {
  const form = page.forms.find(({ fields }) =>
    fields.some(({ name, value }) => name === 'challenge_id' && value !== ''),
  );
  if (!form) throw new Error(`No message waits for a signature on ${page.url.pathname}:\n${page.text}`);
  return form;
}

function formBody({ fields }: HtmlForm, values: FormValues): URLSearchParams {
  const own = fields.filter(({ name, type, checked }) => {
    return !(name in values) && type !== 'button' && type !== 'submit' && (!isBox(type) || checked);
  });
  const body = new URLSearchParams(own.map(({ name, value }) => [name, value]));
  for (const [name, value] of Object.entries(values)) {
    for (const one of value === null ? [] : [value].flat()) body.append(name, one);
  }
  return body;
}
