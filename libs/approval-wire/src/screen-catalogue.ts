type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** What a state of the page says: its heading, a sentence or two, and how serious it is. */
export type ScreenText = readonly [heading: string, text: string, tone: Tone];

/**
 * The text that the approval page shows in each of its states. The server sends it with the page, and the page's
 * program replaces the placeholders in braces. A variant of a state is `state/variant`.
 */
const SCREEN_CATALOGUE: Readonly<Record<string, ScreenText>> = {
  loading: ['Checking this request…', '', 'plain'],
  offline: ['You are offline', 'Keep this tab open. It continues when you are back online.', 'warn'],
  service_away: ['The service does not answer', 'This page tries again every few seconds. Nothing is lost.', 'warn'],
  opened_elsewhere: [
    'This request is open elsewhere',
    'To continue here, load this page again and prove that you have the wallet.',
    'warn',
  ],
  unreadable: ['This request cannot be read', 'Nothing was signed. Ask the app for a new request.', 'bad'],
  expired: ['This request expired at {expiry}', 'Nothing was done, and it can no longer be signed.', 'warn'],
  'expired/signed': ['This request expired at {expiry}', 'What was signed can no longer be used.', 'warn'],
  declined: [
    'You declined this request',
    'The app that asked is told. Nothing was signed, and no money moved.',
    'plain',
  ],
  'declined/link': [
    'This request was declined',
    'It was declined in the browser that opened its link. Nothing was signed, and no money moved.',
    'plain',
  ],
  'declined/wallet': [
    'This request was declined',
    'It was declined in a browser that had proved the wallet. Nothing was signed, and no money moved.',
    'plain',
  ],
  'declined/account': [
    'This request was declined',
    'It was declined by somebody who was signed in to your account. Nothing was signed, and no money moved.',
    'plain',
  ],
  'declined/credential': [
    'This request was declined',
    'It was declined by a program, with a credential of your account. Nothing was signed, and no money moved.',
    'plain',
  ],
  superseded: ['This request was replaced', 'It was already carried out, or a newer request took its place.', 'warn'],
  already_signed: ['Already signed', 'There is nothing left to do here.', 'good'],
  unknown_kind: [
    'This page does not know this kind of action',
    'You cannot sign it here. Ask the app what it wants.',
    'bad',
  ],
  check_failed: [
    'Stop: this request does not match what was asked',
    'Do not sign it anywhere. Nothing was signed. Below you see which checks failed.',
    'bad',
  ],
  'check_failed/signed': [
    'Stop: this request does not match what was asked',
    'What was signed is not sent. Do not send it elsewhere. Below you see which checks failed.',
    'bad',
  ],
  state_moved: ['This is no longer possible', '{detail} Nothing was signed.', 'warn'],
  'state_moved/signed': ['This is no longer possible', '{detail} What was signed is not sent.', 'warn'],
  no_wallet: [
    'No wallet in this browser',
    'Use a wallet on another device, or install one such as MetaMask, Rabby or Base.',
    'plain',
  ],
  choose_wallet: ['Connect the wallet {expected}', '{count} wallets were found.', 'plain'],
  'choose_wallet/searching': ['Connect the wallet {expected}', 'Looking for wallets in this browser…', 'plain'],
  'choose_wallet/signed': [
    'Signed. One step is left: send it',
    'Connect the wallet that signed, {expected}. It sends the transaction and shows the fee.',
    'plain',
  ],
  'choose_wallet/one': ['Connect the wallet {expected}', 'One wallet was found.', 'plain'],
  'choose_wallet/rejected': ['Connect the wallet {expected}', 'You declined in the wallet. Nothing happened.', 'plain'],
  'choose_wallet/pending': [
    'Connect the wallet {expected}',
    'The wallet is waiting for another answer. Give it there, then choose the wallet again.',
    'plain',
  ],
  'choose_wallet/locked': [
    'Connect the wallet {expected}',
    'The wallet is locked. Unlock it, then choose it again.',
    'plain',
  ],
  'choose_wallet/disconnected': [
    'Connect the wallet {expected}',
    'The wallet is not connected to its network.',
    'plain',
  ],
  'choose_wallet/other': [
    'Connect the wallet {expected}',
    'The wallet answered with an error. Try again, or use another one.',
    'plain',
  ],
  connecting: ['Connecting to {wallet}', 'If nothing opens, open the wallet and unlock it.', 'plain'],
  wallet_locked: [
    'Unlock {wallet}',
    'The wallet does not answer. It may be locked, or its window may be behind this one.',
    'warn',
  ],
  wrong_wallet: [
    'You connected {connected}. This needs {expected}',
    'Switch the account in the wallet. This page then continues.',
    'warn',
  ],
  wrong_chain: [
    'The wallet is on another network. This needs {chain}',
    'This page asks the wallet to switch. The wallet then asks you.',
    'warn',
  ],
  'wrong_chain/rejected': [
    'The wallet is on another network. This needs {chain}',
    'You declined in the wallet. Nothing happened.',
    'warn',
  ],
  'wrong_chain/unknown_chain': [
    'The wallet is on another network. This needs {chain}',
    'The wallet does not know {chain}. Add this network in the wallet.',
    'warn',
  ],
  'wrong_chain/other': [
    'The wallet is on another network. This needs {chain}',
    'The wallet did not switch. Change the network in the wallet.',
    'warn',
  ],
  checking: ['Checking with your wallet’s own node…', '', 'plain'],
  node_away: [
    'Your wallet’s node does not answer',
    'Without it, this page would have to trust the service alone. Check the network in the wallet, then try again.',
    'warn',
  ],
  sources_differ: [
    'Stop: two sources disagree about your balance',
    'Your wallet’s node and this service report different amounts for the same block. One of them is wrong.',
    'bad',
  ],
  insufficient_usdc: [
    'You have {has}. This needs {needs}',
    'Add USDC to the wallet on this network, then check again.',
    'warn',
  ],
  would_revert: ['This would fail now', '{reason}', 'warn'],
  insufficient_gas: [
    'You need about {gas} on {chain}',
    'The wallet has too little ETH for the network fee, and USDC does not pay it. Add a little ETH, then check again.',
    'warn',
  ],
  match_code: [
    '',
    'The app that asked shows the same code. If it shows another one, this is a different request: do not sign. The code only tells requests apart. It proves nothing else.',
    'plain',
  ],
  sent_hint: [
    '',
    'A transaction was reported for this request, and the network does not show it. If you sent it, wait a moment. If you did not, go on as if it were not there:',
    'warn',
  ],
  device_link: ['', 'Open this link on the device that has your wallet. This page can then no longer sign.', 'plain'],
  fresh_link: [
    'Or send this to the app that asked:',
    'The request {id} has ended, and nothing was done. Prepare it again and give me the new signing link.',
    'plain',
  ],
  'not_done/decline': ['The request was not declined.', 'The service does not answer. Try again.', 'warn'],
  'not_done/renew': ['There is no fresh link.', 'The service does not answer. Try again.', 'warn'],
  'not_done/link': ['No link was made.', 'The service does not answer. Try again.', 'warn'],
  contract_checks: ['', 'Your smart wallet’s contract checks the signature.', 'plain'],
  fee: ['', 'Your wallet pays the network fee in ETH on {chain}. USDC does not pay it.', 'plain'],
  'fee/paid': ['', '{market} pays the network fee.', 'plain'],
  not_previewed: ['Ready to sign, without a preview', 'Nothing moves until you confirm in your wallet.', 'warn'],
  'not_previewed/two_steps': [
    'Ready to sign, without a preview',
    'The chain could not be asked what would change. Two steps follow in your wallet: you sign, then you send the transaction.',
    'warn',
  ],
  ready: ['Ready to sign', 'Nothing moves until you confirm in your wallet.', 'plain'],
  'ready/two_steps': [
    'Ready to sign',
    'Two steps follow in your wallet: you sign, then you send the transaction. Nothing moves before you send it.',
    'plain',
  ],
  waiting: ['Confirm in {wallet}', 'Compare what the wallet shows with this page.', 'plain'],
  'waiting/call': ['Confirm in {wallet}', 'Compare the transaction in the wallet with this page.', 'plain'],
  'waiting/slow': ['Confirm in {wallet}', 'If it did not open, look for its window or icon. It may be locked.', 'warn'],
  rejected: ['You declined in the wallet', 'Nothing happened. You can try again.', 'plain'],
  pending_in_wallet: [
    'Open your wallet: a request is waiting',
    '{wallet} is waiting for another answer. Give it there.',
    'warn',
  ],
  wallet_error: ['{wallet} answered with an error', 'Nothing was signed. Try again, or use another wallet.', 'warn'],
  'wallet_error/code': [
    '{wallet} answered with an error',
    'Nothing was signed. The error code is {code}. Try again, or use another wallet.',
    'warn',
  ],
  'wallet_error/dropped': [
    '{wallet} did not carry it out',
    'The wallet gave up before it was done. You can try again.',
    'warn',
  ],
  submitting: ['Signed. One moment…', 'The service checks the signature.', 'plain'],
  unsent: [
    'Signed, but the service does not know yet',
    'Keep this tab open and try again. You do not have to sign a second time.',
    'warn',
  ],
  submission_refused: ['The signature was not accepted', '{reason}', 'warn'],
  signature_invalid: [
    'Stop: the wallet returned a signature for something else',
    'The signature was not used. Check the wallet.',
    'bad',
  ],
  smart_wallet_inactive: [
    'This smart wallet is not active yet',
    'The service cannot check its signature until the wallet exists on this network. Activate it, for example with a first transaction, and try again.',
    'warn',
  ],
  foreign_call: [
    'Stop: the transaction is not the one you signed for',
    'This page did not send it. Do not send it elsewhere.',
    'bad',
  ],
  signed: ['Signed', 'No transaction is needed now. You can close this tab.', 'good'],
  send_ready: [
    'Signed. One step is left: send it',
    '{wallet} sends the transaction and shows the fee. It contains only what you signed.',
    'plain',
  ],
  'send_ready/rejected': [
    'Signed. One step is left: send it',
    'You declined in the wallet. The signature stands.',
    'warn',
  ],
  'send_ready/other': ['Signed. One step is left: send it', '{wallet} did not send it. The signature stands.', 'warn'],
  'send_ready/dropped': [
    'Signed. One step is left: send it',
    '{wallet} gave up before it was done. The signature stands.',
    'warn',
  ],
  sending: ['Sent', 'This usually takes 2–4 seconds. You can close this tab.', 'plain'],
  unseen: [
    'Sent, but not seen yet',
    'The network does not show the transaction. Check in your wallet before you try again.',
    'warn',
  ],
  confirmed: [
    'Done in block {block}',
    'The transaction becomes final in about an hour. You can close this tab.',
    'good',
  ],
  final: ['Done and final, in block {block}', 'You can close this tab.', 'good'],
  reverted: [
    'Failed on chain',
    'The network fee was paid, and nothing else moved. Get a fresh link to try again.',
    'bad',
  ],
};

/** The texts as they are shown at a market of this name: the one placeholder that the page's program does not know. */
export function screenTexts(market: string): Readonly<Record<string, ScreenText>> {
  const named = (text: string): string => text.replace('{market}', () => market);
  return Object.fromEntries(
    Object.entries(SCREEN_CATALOGUE).map(([name, [heading, text, tone]]) => [name, [heading, named(text), tone]]),
  );
}
