import type { Page, Route } from 'playwright-core';

/** What stands between a service and a page here: a service that lies, to this page alone. */
type Change = (value: any) => void;

/** The JSON of one of the page's requests arrives changed. */
export async function changeAnswer(page: Page, name: string, change: Change): Promise<void> {
  await page.route(`**/sign/*/${name}`, async (route: Route) => {
    const response = await route.fetch();
    const value: unknown = await response.json();
    change(value);
    await route.fulfill({ response, json: value });
  });
}

/** The page itself arrives changed. */
export async function changePage(page: Page, change: (html: string) => string): Promise<void> {
  await page.route('**/sign/*', async (route: Route) => {
    const response = await route.fetch();
    const isPage = response.headers()['content-type']?.startsWith('text/html') === true;
    if (isPage) await route.fulfill({ response, body: change(await response.text()) });
    else await route.fulfill({ response });
  });
}

/** An address that begins and ends as the other does, as those are made that people do not compare. */
export function lookAlike(address: string): string {
  const digit = address[20] === 'a' ? 'b' : 'a';
  return `${address.slice(0, 20)}${digit}${address.slice(21)}`;
}
