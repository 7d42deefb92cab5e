import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../chromium.js';
import type { Approval, Asked, Decision } from './approval.js';
import { LONGEST_EVENT_WAIT_MS } from '../parties/longest-event-wait.js';
import { DemoMismatch, expectThat, type StepReporter } from '../parties/step-reporter.js';

/** A headless Chromium opens the real page and presses what a person would press. */
class BrowserApproval implements Approval {
  constructor(
    private readonly reporter: StepReporter,
    private readonly launch: () => Promise<Browser>,
  ) {}

  async decide({ action, who, decided }: Asked): Promise<Decision> {
    const browser = await this.launch();
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(LONGEST_EVENT_WAIT_MS);
      await pressOn(page, action.signing_url, action.match_code).catch(async (error: unknown) => {
        const said = (await page.getByRole('heading').allTextContents()).join(' | ');
        throw error instanceof DemoMismatch ? error : new DemoMismatch(`The approval page stopped at: ${said}`);
      });
      const decision = await inTime(decided);
      this.reporter.step(
        `${who.name} opens the approval page in a browser, compares the match code, and signs there with the Demo Wallet`,
        `match code ${action.match_code}`,
      );
      return decision;
    } finally {
      await browser.close();
    }
  }
}

/** Approval by the machine's Chromium; null when there is no Chromium or no playwright-core to drive it. */
export async function browserApproval(reporter: StepReporter): Promise<Approval | null> {
  const executablePath = chromiumPath();
  // An installation without the development packages has no playwright-core.
  const playwright = executablePath === null ? null : await import('playwright-core').catch(() => null);
  if (executablePath === null || playwright === null) return null;
  return new BrowserApproval(reporter, () => playwright.chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] }));
}

/**
 * Presses what a person presses on the page: open, connect, sign, send. Throws DemoMismatch when the page does not show
 * this match code.
 */
export async function pressOn(page: Page, signingUrl: string, matchCode: string): Promise<void> {
  await page.goto(signingUrl);
  await page.getByRole('button', { name: 'Open this request' }).click();
  // The page shows the match code only after its script has checked the request.
  const code = page.locator('[data-screen]').getByText(matchCode).first();
  const isShown = await code.waitFor().then(
    () => true,
    () => false,
  );
  expectThat(isShown, 'The approval page does not show the match code of the action: not signing.');
  await page.getByRole('button', { name: 'Demo Wallet' }).click();
  await page.getByRole('button', { name: /^Sign with/ }).click();
  const wallet = page.getByRole('dialog');
  await wallet.getByRole('button', { name: 'Sign' }).click();
  await page.getByRole('button', { name: /^Send with/ }).click();
  await wallet.getByRole('button', { name: 'Send' }).click();
}

async function inTime(decided: Promise<Decision>): Promise<Decision> {
  const inVain = new AbortController();
  const limit = sleep(LONGEST_EVENT_WAIT_MS, null, { signal: inVain.signal }).catch(() => null);
  const decision = await Promise.race([decided, limit]);
  inVain.abort();
  expectThat(decision !== null, 'The command line has not seen what was signed in the browser.');
  return decision;
}
