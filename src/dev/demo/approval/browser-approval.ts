import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../chromium.js';
import { outcomeOf } from './action-outcome.js';
import { type Approval, type Asked, type Decision, matchCodeOf } from './approval.js';
import { LONGEST_EVENT_WAIT_MS } from '../parties/longest-event-wait.js';
import { DemoMismatch, expectThat, type StepReporter } from '../parties/step-reporter.js';

/** A headless Chromium opens the real page and presses what a person would press. */
class BrowserApproval implements Approval {
  constructor(
    private readonly reporter: StepReporter,
    private readonly launch: () => Promise<Browser>,
  ) {}

  async decide(asked: Asked): Promise<Decision> {
    const browser = await this.launch();
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(LONGEST_EVENT_WAIT_MS);
      await pressOn(page, asked.action.signing_url, matchCodeOf(asked)).catch(async (error: unknown) => {
        const said = (await page.getByRole('heading').allTextContents()).join(' | ');
        throw error instanceof DemoMismatch ? error : new DemoMismatch(`The approval page stopped at: ${said}`);
      });
      const decision = await settled(asked);
      this.reporter.step(
        `${asked.who.name} opens the approval page in a browser, compares the match code, and signs there with the Demo Wallet`,
        `match code ${matchCodeOf(asked)}`,
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

async function settled({ who, action }: Asked): Promise<Decision> {
  const decision = await who.hearOf(action.action_id, async () => {
    const outcome = await outcomeOf(who, action.action_id);
    return typeof outcome === 'string' ? undefined : outcome;
  });
  if (decision !== undefined) return decision;
  expectThat(false, 'The service has not seen what was signed in the browser.');
}
