import type { Page } from 'playwright-core';
import { sidewaysScroll } from '../../support/oauth/browser.js';

const PHONES = [375, 320];
const SCHEMES = ['light', 'dark'] as const;

/**
 * One line for each phone width and colour scheme in which the page is wider than the screen. Leaves the window at 1280
 * by 800.
 */
export async function tooWide(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of PHONES) {
    await page.setViewportSize({ width, height: 667 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const wider = await sidewaysScroll(page);
      if (wider > 0) found.push(`${width} px, ${colorScheme}: wider by ${wider} px`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}

/** One line for each part of the page's beginning that lies below the first screen of a desktop or a phone. */
export async function belowTheFold(page: Page): Promise<string[]> {
  const found: string[] = [];
  const look = async (width: number, height: number, selectors: Readonly<Record<string, string>>): Promise<void> => {
    await page.setViewportSize({ width, height });
    for (const [name, selector] of Object.entries(selectors)) {
      const box = await page.locator(selector).first().boundingBox();
      const bottom = box === null ? null : Math.round(box.y + box.height);
      if (bottom === null || bottom > height) found.push(`${name} at ${width} by ${height}: ends at ${bottom}`);
    }
  };
  const money = '.money :is(.amount, p)';
  await page.evaluate(() => window.scrollTo(0, 0));
  await look(375, 667, { sentence: 'h1', amount: money });
  await look(1280, 800, { sentence: 'h1', amount: money, button: '.state .actions > button' });
  return found;
}
