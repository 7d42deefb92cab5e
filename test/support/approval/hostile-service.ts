import type { Page, Route } from 'playwright-core';

/** A change of an answer on its way to the page, which makes the service lie to this page alone. */
type Change = (value: any) => void;

/** Changes the JSON answer to one of the page's requests. */
export async function changeAnswer(page: Page, name: string, change: Change): Promise<void> {
  await page.route(`**/sign/*/${name}`, async (route: Route) => {
    const response = await route.fetch();
    const value: unknown = await response.json();
    change(value);
    await route.fulfill({ response, json: value });
  });
}

/** Changes the HTML of the page. */
export async function changePage(page: Page, change: (html: string) => string): Promise<void> {
  await page.route('**/sign/*', async (route: Route) => {
    const response = await route.fetch();
    const isPage = response.headers()['content-type']?.startsWith('text/html') === true;
    if (isPage) await route.fulfill({ response, body: change(await response.text()) });
    else await route.fulfill({ response });
  });
}

/**
 * Another address that begins and ends like this one, as attackers choose addresses that people compare only in part.
 */
export function lookAlike(address: string): string {
  const digit = address[20] === 'a' ? 'b' : 'a';
  return `${address.slice(0, 20)}${digit}${address.slice(21)}`;
}
