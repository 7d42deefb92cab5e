import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { randomWallet } from '../random-wallet.js';
import type { HtmlPage } from './html-page.js';
import { ListeningService, type ListeningOptions } from '../listening-service.js';
import { type FormValues, Person, type PersonWallet, shown } from './person.js';

/** The account pages, used as people use them, and the service behind them. */
export class AccountSite {
  private constructor(readonly oauth: ListeningService) {}

  static async start(options: ListeningOptions = {}): Promise<AccountSite> {
    return new AccountSite(await ListeningService.listen(options));
  }

  close(): Promise<void> {
    return this.oauth.close();
  }

  /** A person with a new wallet who has signed in. */
  async signedIn(): Promise<{ person: Person; accountId: string }> {
    const person = new Person(this.oauth.url, randomWallet());
    await person.signInToAccount();
    return { person, accountId: await this.oauth.accountOf(person) };
  }

  async open(person: Person, path: string): Promise<HtmlPage> {
    return shown(await person.open(this.oauth.url + path));
  }

  /** Submits the form of a page whose address ends with `ending`. */
  async send(person: Person, path: string, ending: string, values: FormValues = {}): Promise<HtmlPage> {
    const page = await this.open(person, path);
    return shown(await person.submit(page, page.form(ending), values));
  }

  /** Like `send`, and then signs what the page asks for. @param by the wallet that signs; absent: the person's own. */
  async confirm(
    person: Person,
    path: string,
    ending: string,
    values: FormValues = {},
    by: PersonWallet = person.wallet,
  ): Promise<HtmlPage> {
    const asked = await this.send(person, path, ending, values);
    return shown(await person.answer(asked, await by.signMessage(asked.message)));
  }

  /** Adds another wallet: that wallet signs, and then the person's own wallet agrees. */
  async link(person: Person, wallet: PersonWallet): Promise<HtmlPage> {
    const proved = await this.prove(person, wallet);
    if (!proved.has('/wallets/link') || !proved.html.includes('name="proof"')) return proved;
    return shown(await person.answer(proved, await person.wallet.signMessage(proved.message)));
  }

  /** The first half of `link`. @returns the page that asks the person's signing wallet to agree. */
  async prove(person: Person, wallet: PersonWallet): Promise<HtmlPage> {
    const asked = await person.challenge(await this.open(person, '/account/wallets'), wallet.address);
    return shown(await person.answer(asked, await wallet.signMessage(asked.message)));
  }

  call(path: string, headers: Record<string, string>): Promise<Response> {
    return fetch(this.oauth.url + path, { headers, redirect: 'manual' });
  }

  keysOf(accountId: string) {
    return this.oauth.get(ApiKeysService).list(accountId);
  }

  async eventsOf(accountId: string): Promise<string[]> {
    const rows = await this.oauth.rows<{ event: string }>('SELECT event FROM audit_events WHERE account_id = $1', [
      accountId,
    ]);
    return rows.map(({ event }) => event);
  }
}
