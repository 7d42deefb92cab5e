import { sentenceOf, type Tell } from './ask-wallet.js';
import { discoverWallets, type Wallet } from './discovery.js';

/** What a page does with the wallet that the person chooses. */
interface WalletUse<T> {
  /** Sentence for a browser without a wallet. */
  none: string;
  /** Asks the wallet. @throws whatever `sentenceOf` has a sentence for. */
  ask: (wallet: Wallet, tell: Tell) => Promise<T>;
  /** Takes the answer, unless the person has chosen again meanwhile. */
  use: (answer: T, tell: Tell) => void;
}

/**
 * Shows a section that lists the wallets of this browser, and asks the one that the person chooses. The section has a list
 * `data-wallets` and places for a status and an alert. Everything that a wallet says about itself is text or a picture in
 * `<img>`; nothing is ever read as HTML.
 */
export function offerWallets<T>(section: HTMLElement, { none, ask, use }: WalletUse<T>): void {
  const list = elementIn(section, '[data-wallets]', HTMLElement);
  const status = elementIn(section, '[role=status]', HTMLElement);
  const alert = elementIn(section, '[role=alert]', HTMLElement);
  let found = 0;
  /** Number of the newest attempt: what an earlier one still reports is ignored. */
  let attempt = 0;

  section.hidden = false;
  say('Looking for wallets in this browser…');
  discoverWallets(window, offer, () => {
    if (found === 0) say(none);
  });

  function offer(wallet: Wallet): void {
    found += 1;
    const item = document.createElement('li');
    item.append(button(wallet, () => void choose(wallet)));
    list.append(item);
    if (attempt === 0) say(found === 1 ? 'One wallet was found.' : `${found} wallets were found. Choose one.`);
  }

  async function choose(wallet: Wallet): Promise<void> {
    const mine = ++attempt;
    const tell: Tell = (text) => {
      if (mine === attempt) say(text);
    };
    try {
      const answer = await ask(wallet, tell);
      if (mine === attempt) use(answer, tell);
    } catch (error) {
      if (mine !== attempt) return;
      say('');
      alert.textContent = sentenceOf(error);
      alert.focus();
    }
  }

  function say(text: string): void {
    if (text !== '') alert.textContent = '';
    status.textContent = text;
  }
}

/** The element of this type that a page was made with. @throws Error where it has none. */
export function elementIn<T extends Element>(root: ParentNode, selector: string, type: new () => T): T {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}`);
  return found;
}

function button({ name, icon }: Wallet, onClick: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  if (icon !== null) {
    const image = document.createElement('img');
    image.src = icon;
    image.alt = '';
    image.width = image.height = 24;
    element.append(image);
  }
  const text = document.createElement('bdi');
  text.textContent = name;
  element.append(text);
  element.addEventListener('click', onClick);
  return element;
}
