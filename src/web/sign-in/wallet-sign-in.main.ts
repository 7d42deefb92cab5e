import { connectWallet, hexOf, NOTHING_SIGNED, Refusal, type Tell } from '../wallets/ask-wallet.js';
import type { Wallet } from '../wallets/discovery.js';
import { memberOf, textAt } from '../wallets/json.js';
import { elementIn, offerWallets } from '../wallets/wallet-choice.js';

// Signs in with a wallet of this browser: asks the chosen one to sign the message that the service made, and sends the
// form. Without this script the page has a field for a signature made elsewhere.

interface Challenge {
  challengeId: string;
  message: string;
  /** A moment of `performance.now()`. */
  deadline: number;
}

/** What the form needs of a wallet. */
interface Proof {
  challengeId: string;
  signature: string;
}

const section = document.querySelector('[data-wallet-sign-in]');
if (section instanceof HTMLElement) start(section);

function start(section: HTMLElement): void {
  const form = elementIn(section, 'form', HTMLFormElement);
  offerWallets<Proof>(section, {
    none: 'No wallet was found in this browser. You can use a wallet on another device, below.',
    ask: prove,
    use: ({ challengeId, signature }, tell) => {
      tell('Signed. One moment…');
      input('challenge_id').value = challengeId;
      input('signature').value = signature;
      form.submit();
    },
  });

  /** Asks the wallet for everything that the form needs. */
  async function prove(wallet: Wallet, tell: Tell): Promise<Proof> {
    const wanted = { account: section.dataset.wallet ?? null, chainId: Number(section.dataset.chainId) };
    const address = await connectWallet(wallet, wanted, tell);
    const challenge = messageOfPage() ?? (await askForMessage(address));
    tell(`Read the message in ${wallet.name} and sign it. It moves no funds.`);
    const signature = await wallet.provider.request({
      method: 'personal_sign',
      params: [hexOf(challenge.message), address],
    });
    if (typeof signature !== 'string') throw new Refusal(`The wallet gave no signature. ${NOTHING_SIGNED}`);
    if (performance.now() > challenge.deadline) {
      throw new Refusal('The message expired before it was signed. Open the page again for a new one.');
    }
    return { challengeId: challenge.challengeId, signature };
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

  function input(name: string): HTMLInputElement {
    return elementIn(form, `input[name=${name}]`, HTMLInputElement);
  }
}
