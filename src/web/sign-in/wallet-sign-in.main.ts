import { discoverWallets, type Wallet } from '../wallets/discovery.js';
import { memberOf, textAt } from '../wallets/json.js';
import { accountOf, agreeOnChain, hexOf, NOTHING_SIGNED, Refusal, sentenceOf } from './sign-in-wallet.js';

// Signs in with a wallet of this browser: asks the chosen one to sign the message that the service made, and sends the
// form. Without this script the page has a field for a signature made elsewhere. Everything that a wallet says about
// itself is text or a picture in <img>; nothing is ever read as HTML.

interface Challenge {
  challengeId: string;
  message: string;
  /** A moment of `performance.now()`. */
  deadline: number;
}

/** Shows a sentence about the present attempt. */
type Tell = (text: string) => void;

/** When a wallet that says nothing is most likely locked, or its window is behind this one; milliseconds. */
const SLOW_WALLET_MS = 8000;

const section = document.querySelector('[data-wallet-sign-in]');
if (section instanceof HTMLElement) start(section);

function start(section: HTMLElement): void {
  const list = find(section, '[data-wallets]', HTMLElement);
  const status = find(section, '[role=status]', HTMLElement);
  const alert = find(section, '[role=alert]', HTMLElement);
  const form = find(section, 'form', HTMLFormElement);
  let found = 0;
  /** Number of the newest attempt: what an earlier one still reports is ignored. */
  let attempt = 0;

  section.hidden = false;
  say('Looking for wallets in this browser…');
  discoverWallets(window, offer, () => {
    if (found === 0) say('No wallet was found in this browser. You can use a wallet on another device, below.');
  });

  function offer(wallet: Wallet): void {
    found += 1;
    const item = document.createElement('li');
    item.append(button(wallet, () => void use(wallet)));
    list.append(item);
    if (attempt === 0) say(found === 1 ? 'One wallet was found.' : `${found} wallets were found. Choose one.`);
  }

  async function use(wallet: Wallet): Promise<void> {
    const mine = ++attempt;
    const tell: Tell = (text) => {
      if (mine === attempt) say(text);
    };
    try {
      const proof = await prove(wallet, tell);
      if (mine !== attempt) return;
      tell('Signed. One moment…');
      input('challenge_id').value = proof.challengeId;
      input('signature').value = proof.signature;
      form.submit();
    } catch (error) {
      if (mine !== attempt) return;
      say('');
      alert.textContent = sentenceOf(error);
      alert.focus();
    }
  }

  /** Asks the wallet for everything that the form needs. */
  async function prove({ name, provider }: Wallet, tell: Tell): Promise<{ challengeId: string; signature: string }> {
    const waiting = setTimeout(() => tell(`Still waiting for ${name}. Open it: it may be locked.`), SLOW_WALLET_MS);
    try {
      tell(`Connecting to ${name}. If nothing opens, open the wallet and unlock it.`);
      const address = await accountOf(provider, section.dataset.wallet ?? null);
      await agreeOnChain(provider, Number(section.dataset.chainId), tell);
      const challenge = messageOfPage() ?? (await askForMessage(address));
      clearTimeout(waiting);
      tell(`Read the message in ${name} and sign it. It moves no funds.`);
      const signature = await provider.request({
        method: 'personal_sign',
        params: [hexOf(challenge.message), address],
      });
      if (typeof signature !== 'string') throw new Refusal(`The wallet gave no signature. ${NOTHING_SIGNED}`);
      if (performance.now() > challenge.deadline) {
        throw new Refusal('The message expired before it was signed. Open the page again for a new one.');
      }
      return { challengeId: challenge.challengeId, signature };
    } finally {
      clearTimeout(waiting);
    }
  }

  /** The message that the page came with, if any; its life began when the page was opened. */
  function messageOfPage(): Challenge | null {
    const { message, lifetime } = section.dataset;
    if (message === undefined) return null;
    return { challengeId: input('challenge_id').value, message, deadline: Number(lifetime) * 1000 };
  }

  async function askForMessage(address: string): Promise<Challenge> {
    const body = new URLSearchParams({ form_token: input('form_token').value, address });
    const path = section.dataset.challengePath ?? '';
    const response = await fetch(path, { method: 'POST', headers: { Accept: 'application/json' }, body }).catch(() => {
      throw new Refusal('The service could not be reached. Check the connection and choose the wallet again.');
    });
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok)
      throw new Refusal(textAt(memberOf(answer, 'error'), 'reason') ?? 'The service gave no message to sign.');
    const challengeId = textAt(answer, 'challenge_id');
    const message = textAt(answer, 'message');
    if (challengeId === null || message === null) throw new Refusal('The service gave no message to sign.');
    // By the clock of the service: that of this computer may be wrong.
    const now = Date.parse(response.headers.get('date') ?? '');
    const lifetime = Date.parse(textAt(answer, 'expires_at') ?? '') - now;
    return { challengeId, message, deadline: performance.now() + lifetime };
  }

  function say(text: string): void {
    if (text !== '') alert.textContent = '';
    status.textContent = text;
  }

  function input(name: string): HTMLInputElement {
    return find(form, `input[name=${name}]`, HTMLInputElement);
  }
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

function find<T extends Element>(root: ParentNode, selector: string, type: new () => T): T {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}`);
  return found;
}
