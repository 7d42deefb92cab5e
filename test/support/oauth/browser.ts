import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../../src/dev/chromium.js';
import { type InjectedWallet, WalletError } from './injected-wallets.js';

/** WCAG 2.2, levels A and AA. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * The longest that these specs wait for a page to do something. It is long, because a busy machine is no fault of the
 * page.
 */
const LONGEST_PAGE_WAIT_MS = 40_000;

/** Without a Chromium the specs that need one are listed as skipped, with the reason. */
export const describeWithBrowser: jest.Describe = chromiumPath() === null ? describe.skip : describe;
export const BROWSER_NOTE =
  chromiumPath() === null
    ? ' [not run: no Chromium on this machine; install `chromium-headless-shell` or `chromium`, or set CHROMIUM_PATH]'
    : '';

/** What one window has done that it should not have done, and the settings of a window. */
export interface Watch {
  /** Requests to anywhere but the service, except documents at the client's callback. */
  strayRequests: string[];
  /** What the page's content security policy has blocked. */
  violations: string[];
  /** Errors that the page's script did not catch. */
  errors: string[];
  /** Answers of the service with status 500 or above. */
  faults: string[];
}

export interface WindowOptions {
  wallets?: readonly InjectedWallet[];
  context?: BrowserContextOptions;
  /** Origins outside the service to which the person may be sent, such as the client's. */
  mayVisit?: readonly string[];
  /** True: `accessibilityFaults` can be used. It turns off the page's policy, which forbids foreign scripts. */
  axe?: boolean;
}

/** One person's window: a page with its own profile, and a record of what it does wrong. */
export class BrowserWindow {
  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly watch: Watch,
  ) {}

  static async open(browser: Browser, baseUrl: string, options: WindowOptions = {}): Promise<BrowserWindow> {
    const context = await browser.newContext({ ...options.context, bypassCSP: options.axe === true });
    context.setDefaultTimeout(LONGEST_PAGE_WAIT_MS);
    const watch: Watch = { strayRequests: [], violations: [], errors: [], faults: [] };
    const { origin } = new URL(baseUrl);
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) || url.origin === origin) return;
      const isVisit = request.isNavigationRequest() && (options.mayVisit ?? []).includes(url.origin);
      if (!isVisit) watch.strayRequests.push(`${request.method()} ${url.origin}${url.pathname}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 500) watch.faults.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    await context.exposeFunction('noteViolation', (text: string) => void watch.violations.push(text));
    await context.addInitScript(noteViolations);
    if (options.axe) await context.addInitScript({ content: axeSource() });
    if (options.wallets?.length) await inject(context, options.wallets);
    const page = await context.newPage();
    page.on('pageerror', (error) => watch.errors.push(error.message));
    return new BrowserWindow(page, context, watch);
  }

  /** Everything that the window has done and should not have; empty when all is well. */
  get wrongs(): string[] {
    const { strayRequests, violations, errors, faults } = this.watch;
    return [...strayRequests, ...violations, ...errors, ...faults];
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** Starts the machine's Chromium. @throws with one sentence when there is none. */
export async function launchBrowser(own: readonly string[] = []): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) {
    throw new Error(
      'These specs need a Chromium: install `chromium-headless-shell` or `chromium`, or set CHROMIUM_PATH.',
    );
  }
  return chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...own] });
}

/** The faults that axe finds on the page at WCAG 2.2 AA, one line each. The window must be opened with `axe`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const found: any = await page.evaluate(
    (tags) =>
      (globalThis as any).axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }),
    AXE_TAGS,
  );
  return found.violations.flatMap(({ id, help, nodes }: any) =>
    nodes.map(({ target, failureSummary }: any) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Pixels by which the page can be scrolled sideways; 0 when it fits. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Links and controls that are too small to touch: less than 44 px high and not inside a sentence. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input:not([type=hidden]), select, textarea, summary')]
      .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.height > 0 && box.height < 44)
      .map(
        ({ element, box }) => `${element.tagName} ${element.textContent || element.id}: ${Math.round(box.height)} px`,
      ),
  );
}

let axeText: string | undefined;

function axeSource(): string {
  const require = createRequire(`${process.cwd()}/package.json`);
  axeText ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  return axeText;
}

/** Runs in the page before its own scripts, and reports violations of its policy. */
function noteViolations(): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    (globalThis as any).noteViolation(
      `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
    );
  });
}

/** Announces the wallets to every page, as extensions do (EIP-6963). */
async function inject(context: BrowserContext, wallets: readonly InjectedWallet[]): Promise<void> {
  await context.exposeFunction('askWallet', async (index: number, method: string, params: readonly unknown[]) => {
    try {
      return { result: (await wallets[index]!.request(method, params)) ?? null };
    } catch (error) {
      if (!(error instanceof WalletError)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  });
  await context.addInitScript(
    announceWallets,
    wallets.map(({ name }) => name),
  );
}

/** Runs in the page before its own scripts, and announces the wallets there. */
function announceWallets(names: readonly string[]): void {
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Ccircle cx="4" cy="4" r="4"/%3E%3C/svg%3E';
  const announce = (): void => {
    for (const [index, name] of names.entries()) {
      const provider = {
        request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
          const answer = await (globalThis as any).askWallet(index, method, params);
          if (!answer.error) return answer.result;
          throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
        },
      };
      const info = { uuid: `00000000-0000-4000-8000-00000000000${index}`, name, icon, rdns: `example.wallet${index}` };
      const detail = Object.freeze({ info: Object.freeze(info), provider });
      globalThis.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    }
  };
  globalThis.addEventListener('eip6963:requestProvider', announce);
  announce();
}
