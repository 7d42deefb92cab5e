import { markedLine } from '#libs/notation';
import { memberOf, textAt } from './json.js';
import { isProvider, type Provider } from './provider.js';

/** A wallet of this browser. What it says about itself is text, or a picture in `<img>`; never HTML. */
export interface Wallet {
  /** Unique on this page. */
  key: string;
  /** One line. */
  name: string;
  /** A `data:` URI of a picture. */
  icon: string | null;
  /** Name of the product in reverse DNS order; the same at every visit. */
  rdns: string | null;
  provider: Provider;
}

/** Where wallets announce themselves: the window of a browser. */
export interface WalletPlace {
  addEventListener(type: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
  /** The provider of a wallet from before EIP-6963. */
  readonly ethereum?: unknown;
}

/** How long wallets have to announce themselves before the old way is tried (EIP-6963 answers at once), milliseconds. */
const DISCOVERY_MS = 400;
const LONGEST_ICON = 65_536;
const LONGEST_NAME = 60;

/** Offers every wallet once, when it announces itself, and calls `onEnd` when the wait for the first ones is over. */
export function discoverWallets(place: WalletPlace, offer: (wallet: Wallet) => void, onEnd: () => void): void {
  const known = new Set<string>();
  const take = (wallet: Wallet | null): void => {
    if (wallet === null || known.has(wallet.key)) return;
    known.add(wallet.key);
    offer(wallet);
  };
  place.addEventListener('eip6963:announceProvider', (event) => take(announcedWallet(memberOf(event, 'detail'))));
  place.dispatchEvent(new Event('eip6963:requestProvider'));
  setTimeout(() => {
    if (known.size === 0) take(injectedWallet(place.ethereum));
    onEnd();
  }, DISCOVERY_MS);
}

/** The wallet of an announcement; null when it is none. */
export function announcedWallet(detail: unknown): Wallet | null {
  const info = memberOf(detail, 'info');
  const provider = memberOf(detail, 'provider');
  const key = textAt(info, 'uuid');
  if (key === null || !isProvider(provider)) return null;
  const name = markedLine((textAt(info, 'name') ?? '').slice(0, 16 * LONGEST_NAME)).slice(0, LONGEST_NAME);
  const icon = textAt(info, 'icon') ?? '';
  const isPicture = icon.startsWith('data:image/') && icon.length <= LONGEST_ICON;
  return {
    key,
    name: name || 'Wallet without a name',
    icon: isPicture ? icon : null,
    rdns: textAt(info, 'rdns'),
    provider,
  };
}

function injectedWallet(provider: unknown): Wallet | null {
  if (!isProvider(provider)) return null;
  return { key: 'injected', name: 'Wallet of this browser', icon: null, rdns: null, provider };
}
