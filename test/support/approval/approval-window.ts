import type { Browser, Locator, Page } from 'playwright-core';
import { BrowserWindow, type WindowOptions } from '../oauth/browser.js';

export interface ApprovalWindowOptions extends WindowOptions {
  /** Runs before the page is opened, to set up routes that change the service's answers. */
  before?: (page: Page) => Promise<unknown>;
}

/** The parts of a prepared action that a test needs. */
export interface LinkedAction {
  signing_url: string;
}

/** One person's window with the approval page of one action. */
export class ApprovalWindow {
  private constructor(
    readonly window: BrowserWindow,
    readonly page: Page = window.page,
  ) {}

  static async open(
    browser: Browser,
    action: LinkedAction,
    { before, ...options }: ApprovalWindowOptions = {},
  ): Promise<ApprovalWindow> {
    const window = await BrowserWindow.open(browser, new URL(action.signing_url).origin, options);
    await before?.(window.page);
    await window.page.goto(action.signing_url);
    return new ApprovalWindow(window);
  }

  /** Opens the link and claims the request for this browser, as its person does first. */
  static async claim(
    browser: Browser,
    action: LinkedAction,
    options: ApprovalWindowOptions = {},
  ): Promise<ApprovalWindow> {
    const opened = await ApprovalWindow.open(browser, action, options);
    await opened.claim();
    return opened;
  }

  /** Opens this address in another tab of the same browser. */
  async secondTab(url: string): Promise<ApprovalWindow> {
    const page = await this.page.context().newPage();
    await page.goto(url);
    return new ApprovalWindow(this.window, page);
  }

  /** Presses the only button of a link that nobody has opened yet, and waits for the page behind it. */
  async claim(): Promise<void> {
    await this.button('Open this request').click();
    await this.page.locator('#approval').waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** Waits until the page shows this state (src/web/approval/flow/screen.ts). */
  async becomes(screen: string): Promise<void> {
    try {
      await this.page.locator(`[data-screen="${screen}"]`).waitFor();
    } catch {
      const said = [await this.screen(), ...(await this.headings()), ...(await this.failedChecks())].join(' | ');
      throw new Error(`The page is not ${screen} but ${said}`);
    }
  }

  /** Waits until the page has refused the request, because a check failed or its kind is unknown. */
  async refuses(): Promise<void> {
    await this.page.locator('[data-screen=check_failed], [data-screen=unknown_kind]').waitFor();
  }

  /** The state that the page shows; empty before its script runs. */
  async screen(): Promise<string> {
    return (
      (await this.page
        .locator('[data-screen]')
        .getAttribute('data-screen', { timeout: 1_000 })
        .catch(() => '')) ?? ''
    );
  }

  headings(): Promise<string[]> {
    return this.page.getByRole('heading').allTextContents();
  }

  /** The texts of the failed checks in the list of checks. */
  async failedChecks(): Promise<string[]> {
    return this.page.locator('.checks .failed').allTextContents();
  }

  async connect(wallet = 'Key Wallet'): Promise<void> {
    await this.becomes('choose_wallet');
    await this.button(wallet).click();
  }

  get signButton(): Locator {
    return this.button(/^Sign (?:and send )?with /);
  }

  /** Ticks the box that confirms an irreversible action, if there is one, and presses Sign. */
  async sign(): Promise<void> {
    // An action that needs only a signature has no call and therefore no preview.
    await this.page.locator('[data-screen=ready], [data-screen=not_previewed]').waitFor();
    const box = this.page.getByRole('checkbox');
    if ((await box.count()) > 0) await box.check();
    await this.signButton.click();
  }

  /** Waits until the signature has been accepted, and presses Send. */
  async send(): Promise<void> {
    await this.becomes('send_ready');
    await this.button(/^Send with /).click();
  }

  close(): Promise<void> {
    return this.window.close();
  }
}
