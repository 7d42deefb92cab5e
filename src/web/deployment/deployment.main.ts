import { connectWallet, NOTHING_SIGNED, Refusal, type Tell } from '../wallets/ask-wallet.js';
import type { Wallet } from '../wallets/discovery.js';
import { memberOf, textAt } from '../wallets/json.js';
import { elementIn, offerWallets } from '../wallets/wallet-choice.js';

// Sends the transaction that deploys the contracts with a wallet of this browser. The program that serves the page looks at
// the chain, compares the code and writes the record.

const POLL_MS = 1_000;

const section = elementIn(document, '[data-deployment]', HTMLElement);
const { chainId, to, data, gas } = section.dataset;

offerWallets<void>(section, {
  none: 'No wallet was found in this browser. The terminal shows the same transaction, for a wallet elsewhere.',
  ask: send,
  use: (_nothing, tell) =>
    tell('The contracts are on the chain. The terminal compares their code now; you can close this page.'),
});

/** Sends the transaction and waits until the contracts are there. */
async function send(wallet: Wallet, tell: Tell): Promise<void> {
  const from = await connectWallet(wallet, { account: null, chainId: Number(chainId) }, tell);
  tell(`Read the transaction in ${wallet.name} and send it. It costs gas and moves no tokens.`);
  const transaction = { from, to, data, gas, value: '0x0' };
  const hash = await wallet.provider.request({ method: 'eth_sendTransaction', params: [transaction] });
  if (typeof hash !== 'string') throw new Refusal(`The wallet sent no transaction. ${NOTHING_SIGNED}`);
  tell(`Sent as ${hash}. Waiting for the chain…`);
  while (!(await isDeployed())) {
    // Somebody else may have deployed them meanwhile: so the contracts are asked for first, and only then the transaction.
    const receipt = await wallet.provider
      .request({ method: 'eth_getTransactionReceipt', params: [hash] })
      .catch(() => null);
    if (textAt(receipt, 'status') === '0x0') throw new Refusal(`The transaction ${hash} failed. Nothing was deployed.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function isDeployed(): Promise<boolean> {
  const response = await fetch(section.dataset['statusPath'] ?? '').catch(() => {
    throw new Refusal(
      'The program in the terminal has ended. Start it again: it says whether the contracts are there.',
    );
  });
  const answer: unknown = await response.json().catch(() => null);
  return memberOf(answer, 'is_deployed') === true;
}
