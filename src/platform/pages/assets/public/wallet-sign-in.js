// Signs in with a wallet of this browser. Finds wallets by EIP-6963, asks the chosen one to sign the message that the
// service made, and sends the form. Without this script the page has a field for a signature made elsewhere.
// Everything that a wallet says about itself is text or a picture in <img>; nothing is ever read as HTML.

/**
 * EIP-1193.
 * @typedef {{ request: (call: { method: string, params?: readonly unknown[] }) => Promise<unknown> }} Provider
 * @typedef {{ key: string, name: string, icon: string | null, provider: Provider }} Wallet
 * @typedef {{ challengeId: string, message: string, deadline: number }} Challenge a moment of `performance.now()`
 * @typedef {Error & { code?: unknown, data?: unknown }} ProviderError
 */

/** A sentence for the person, instead of an error of the program. */
class Refusal extends Error {}

/** How long wallets have to announce themselves before the old way is tried (EIP-6963 answers at once). */
const DISCOVERY_MS = 400;
/** When a wallet that says nothing is most likely locked, or its window is behind this one. */
const SLOW_WALLET_MS = 8000;
const LONGEST_ICON = 65_536;
const LONGEST_NAME = 60;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Controls, and characters without width or that turn the direction of text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const NOTHING_SIGNED = 'Nothing was signed.';

const section = document.querySelector('[data-wallet-sign-in]');
if (section instanceof HTMLElement) start(section);

/** @param {HTMLElement} section */
function start(section) {
  const list = find(section, '[data-wallets]', HTMLElement);
  const status = find(section, '[role=status]', HTMLElement);
  const alert = find(section, '[role=alert]', HTMLElement);
  const form = find(section, 'form', HTMLFormElement);
  /** @type {Map<string, Wallet>} */
  const wallets = new Map();
  /** Number of the newest attempt: what an earlier one still reports is ignored. */
  let attempt = 0;

  section.hidden = false;
  say('Looking for wallets in this browser…');
  window.addEventListener('eip6963:announceProvider', (event) => {
    if (event instanceof CustomEvent) offer(walletOf(event.detail));
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  setTimeout(() => {
    if (wallets.size === 0) offer(injectedWallet());
    if (wallets.size === 0) say('No wallet was found in this browser. You can use a wallet on another device, below.');
  }, DISCOVERY_MS);

  /** @param {Wallet | null} wallet */
  function offer(wallet) {
    if (wallet === null || wallets.has(wallet.key)) return;
    wallets.set(wallet.key, wallet);
    const item = document.createElement('li');
    item.append(button(wallet, () => void use(wallet)));
    list.append(item);
    if (attempt === 0)
      say(wallets.size === 1 ? 'One wallet was found.' : `${wallets.size} wallets were found. Choose one.`);
  }

  /** @param {Wallet} wallet */
  async function use(wallet) {
    const mine = ++attempt;
    /** @param {string} text */
    const tell = (text) => mine === attempt && say(text);
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

  /**
   * @param {Wallet} wallet
   * @param {(text: string) => void} tell
   */
  async function prove({ name, provider }, tell) {
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

  /** @returns {Challenge | null} the message that the page came with; its life began when the page was opened */
  function messageOfPage() {
    const { message, lifetime } = section.dataset;
    if (message === undefined) return null;
    return { challengeId: input('challenge_id').value, message, deadline: Number(lifetime) * 1000 };
  }

  /**
   * @param {string} address
   * @returns {Promise<Challenge>}
   */
  async function askForMessage(address) {
    const body = new URLSearchParams({ form_token: input('form_token').value, address });
    const path = section.dataset.challengePath ?? '';
    const response = await fetch(path, { method: 'POST', headers: { Accept: 'application/json' }, body }).catch(() => {
      throw new Refusal('The service could not be reached. Check the connection and choose the wallet again.');
    });
    /** @type {unknown} */
    const answer = await response.json().catch(() => null);
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

  /** @param {string} text */
  function say(text) {
    if (text !== '') alert.textContent = '';
    status.textContent = text;
  }

  /** @param {string} name */
  function input(name) {
    return find(form, `input[name=${name}]`, HTMLInputElement);
  }
}

/**
 * @param {Provider} provider
 * @param {string | null} wanted the one that the page waits for; null = any
 * @returns {Promise<string>} that account, or the first that the wallet shows us
 */
async function accountOf(provider, wanted) {
  const answer = await provider.request({ method: 'eth_requestAccounts' });
  const accounts = (Array.isArray(answer) ? answer : []).filter((one) => typeof one === 'string' && ADDRESS.test(one));
  const account = wanted === null ? accounts[0] : accounts.find((one) => one.toLowerCase() === wanted.toLowerCase());
  if (typeof account === 'string') return account;
  if (accounts.length === 0) throw new Refusal('The wallet is locked. Unlock it and try again.');
  throw new Refusal(
    `Switch to the account that ends in ${wanted?.slice(-4)} in the wallet, then choose the wallet again. ${NOTHING_SIGNED}`,
  );
}

/**
 * @param {Provider} provider
 * @param {number} chainId
 * @param {(text: string) => void} tell
 */
async function agreeOnChain(provider, chainId, tell) {
  if (Number(await provider.request({ method: 'eth_chainId' })) === chainId) return;
  tell(`The wallet is on another network. It is asked to change to the one with chain id ${chainId}.`);
  const parameters = [{ chainId: `0x${chainId.toString(16)}` }];
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: parameters });
  } catch (error) {
    if (!codesOf(error).includes(4902)) throw error;
    throw new Refusal(
      `The wallet does not know the network with chain id ${chainId}. Add it there, then choose the wallet again.`,
    );
  }
  if (Number(await provider.request({ method: 'eth_chainId' })) !== chainId) {
    throw new Refusal(
      `The wallet is still on another network. Change it to chain id ${chainId}, then choose it again.`,
    );
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function sentenceOf(error) {
  if (error instanceof Refusal) return error.message;
  const codes = codesOf(error);
  if (codes.includes(4001)) return `You declined in the wallet. ${NOTHING_SIGNED} To try again, choose a wallet.`;
  if (codes.includes(-32002))
    return 'The wallet is waiting for another answer. Give it there, then choose the wallet again.';
  if (codes.includes(4100)) return `The wallet is locked or does not let this page ask. ${NOTHING_SIGNED}`;
  if (codes.includes(4900) || codes.includes(4901))
    return `The wallet is not connected to its network. ${NOTHING_SIGNED}`;
  return `The wallet answered with an error. ${NOTHING_SIGNED} Try again, or use another wallet.`;
}

/**
 * The code of an error and that of the error inside it: wallets on phones wrap theirs.
 * @param {unknown} error
 * @returns {unknown[]}
 */
function codesOf(error) {
  return [memberOf(error, 'code'), memberOf(memberOf(memberOf(error, 'data'), 'originalError'), 'code')];
}

/**
 * @param {unknown} detail what a wallet announced
 * @returns {Wallet | null}
 */
function walletOf(detail) {
  const info = memberOf(detail, 'info');
  const provider = memberOf(detail, 'provider');
  const key = textAt(info, 'uuid');
  if (key === null || !isProvider(provider)) return null;
  const name = (textAt(info, 'name') ?? '').replace(HIDDEN, '').trim().slice(0, LONGEST_NAME);
  const icon = textAt(info, 'icon') ?? '';
  const isPicture = icon.startsWith('data:image/') && icon.length <= LONGEST_ICON;
  return { key, name: name || 'Wallet without a name', icon: isPicture ? icon : null, provider };
}

/** @returns {Wallet | null} the wallet of before EIP-6963 */
function injectedWallet() {
  const provider = memberOf(window, 'ethereum');
  return isProvider(provider) ? { key: 'injected', name: 'Wallet of this browser', icon: null, provider } : null;
}

/**
 * @param {unknown} value
 * @returns {value is Provider}
 */
function isProvider(value) {
  return typeof memberOf(value, 'request') === 'function';
}

/**
 * @param {Wallet} wallet
 * @param {() => void} onClick
 */
function button({ name, icon }, onClick) {
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

/** @param {string} text */
function hexOf(text) {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown} a member of whatever this is
 */
function memberOf(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function textAt(value, name) {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : null;
}

/**
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
function find(root, selector, type) {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}`);
  return found;
}
