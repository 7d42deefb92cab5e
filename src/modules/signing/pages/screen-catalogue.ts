type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** What a state of the page says: its heading, a sentence or two, and how serious it is. */
export type ScreenText = readonly [heading: string, text: string, tone: Tone];

/**
 * What the script says of every state of the page (design/experience.md §2.6). It comes with the page, beside the other
 * words of the server, and the script fills in what stands in braces. A variant of a state is `state/variant`.
 */
export const SCREEN_CATALOGUE: Readonly<Record<string, ScreenText>> = {
  loading: ['Checking this request…', '', 'plain'],
  offline: ['You are offline', 'Keep this tab: it goes on by itself when the connection is back.', 'warn'],
  service_away: ['The service does not answer', 'It is tried again every few seconds. Nothing is lost.', 'warn'],
  opened_elsewhere: [
    'This request is open elsewhere',
    'Load this page again to prove that it is you, and to take it over.',
    'warn',
  ],
  unreadable: ['This request cannot be read', 'Nothing was signed. Ask the app for a new one.', 'bad'],
  expired: ['This request expired at {expiry}', 'Nothing was signed.', 'warn'],
  declined: ['You declined this request', 'The app that asked can see it. Nothing was signed, nothing moved.', 'plain'],
  superseded: ['This request was replaced', 'What it was for has happened, or a newer request took its place.', 'warn'],
  already_signed: ['Already signed', 'There is nothing left to do here.', 'good'],
  unknown_kind: [
    'This page does not know this kind of action',
    'It is never signed here. Ask the app what it wants.',
    'bad',
  ],
  check_failed: [
    'Stop: this request does not match what was asked',
    'Do not sign it anywhere. Nothing was signed. The checks that failed are named below.',
    'bad',
  ],
  state_moved: ['This is no longer possible', '{detail} Nothing was signed.', 'warn'],
  no_wallet: [
    'No wallet in this browser',
    'Open this request on the device that has your wallet, or install a wallet such as MetaMask, Rabby or Base.',
    'plain',
  ],
  choose_wallet: ['Connect the wallet that should sign: {expected}', '{count} wallets were found.', 'plain'],
  'choose_wallet/searching': [
    'Connect the wallet that should sign: {expected}',
    'Looking for wallets in this browser…',
    'plain',
  ],
  'choose_wallet/one': ['Connect the wallet that should sign: {expected}', 'One wallet was found.', 'plain'],
  'choose_wallet/rejected': [
    'Connect the wallet that should sign: {expected}',
    'You declined in the wallet. Nothing happened.',
    'plain',
  ],
  'choose_wallet/pending': [
    'Connect the wallet that should sign: {expected}',
    'The wallet has a request open already. Answer it there, then choose it again.',
    'plain',
  ],
  'choose_wallet/locked': [
    'Connect the wallet that should sign: {expected}',
    'The wallet showed no account. Unlock it and choose it again.',
    'plain',
  ],
  'choose_wallet/disconnected': [
    'Connect the wallet that should sign: {expected}',
    'The wallet is not connected to its network.',
    'plain',
  ],
  'choose_wallet/other': [
    'Connect the wallet that should sign: {expected}',
    'The wallet answered with an error. Try again, or use another one.',
    'plain',
  ],
  connecting: ['Connecting to {wallet}', 'If nothing opens, open the wallet and unlock it.', 'plain'],
  wallet_locked: ['Unlock {wallet}', 'It says nothing: it may be locked, or its window is behind this one.', 'warn'],
  wrong_wallet: [
    'You connected {connected}; this needs {expected}',
    'Switch the account in the wallet. This page sees it at once.',
    'warn',
  ],
  wrong_chain: [
    'The wallet is on another network; this needs {chain}',
    'The wallet is asked to switch; it asks you.',
    'warn',
  ],
  'wrong_chain/rejected': [
    'The wallet is on another network; this needs {chain}',
    'You declined in the wallet. Nothing happened.',
    'warn',
  ],
  'wrong_chain/unknown_chain': [
    'The wallet is on another network; this needs {chain}',
    'The wallet does not know {chain}. Add the network there.',
    'warn',
  ],
  'wrong_chain/other': [
    'The wallet is on another network; this needs {chain}',
    'The wallet did not switch. Change the network there.',
    'warn',
  ],
  checking: ['Checking with your wallet’s own node…', '', 'plain'],
  node_away: [
    'Your wallet’s node does not answer',
    'Without it this page would have to trust the service alone. Check the network in the wallet, then check again.',
    'warn',
  ],
  sources_differ: [
    'Stop: two sources disagree about your balance',
    'Your wallet’s node and this service report different amounts for the same block. One of them is wrong.',
    'bad',
  ],
  insufficient_usdc: [
    'You have {has}; this needs {needs}',
    'Add USDC to the wallet on this network, then check again.',
    'warn',
  ],
  would_revert: ['Trying this now would fail', '{reason}', 'warn'],
  insufficient_gas: [
    'Needs about {gas} on {chain}',
    'The wallet cannot pay the network’s fee for sending this. Add a little, then check again.',
    'warn',
  ],
  not_previewed: [
    'Ready to sign, without a preview',
    'The chain could not be asked what would change. Nothing moves until you confirm in your wallet.',
    'warn',
  ],
  ready: ['Ready to sign', 'Nothing moves until you confirm in your wallet.', 'plain'],
  waiting: ['Confirm in {wallet}', 'Compare what you sign with this page.', 'plain'],
  'waiting/call': ['Confirm in {wallet}', 'Compare the transaction with this page.', 'plain'],
  'waiting/slow': [
    'Confirm in {wallet}',
    'Did it not open? Look for its window or its icon; it may be locked.',
    'warn',
  ],
  rejected: ['You declined in the wallet', 'Nothing happened. You can try again.', 'plain'],
  pending_in_wallet: [
    'Open your wallet: a request is waiting',
    '{wallet} has a question open already. Answer it there.',
    'warn',
  ],
  wallet_error: ['{wallet} answered with an error', 'Nothing was signed. Try again, or use another wallet.', 'warn'],
  'wallet_error/code': [
    '{wallet} answered with an error',
    'Nothing was signed. Its code is {code}. Try again, or use another wallet.',
    'warn',
  ],
  submitting: ['Signed. One moment…', 'The signature is being checked.', 'plain'],
  unsent: [
    'Signed, but the service could not be told',
    'You do not have to sign again: the signature is kept here.',
    'warn',
  ],
  submission_refused: ['The signature was not accepted', '{reason}', 'warn'],
  signature_invalid: [
    'Stop: the wallet returned a signature for something else',
    'It was not used. Check the wallet.',
    'bad',
  ],
  smart_wallet_inactive: [
    'This smart wallet is not active yet',
    'Its signature cannot be checked before the wallet exists on this network. Activate it there, for example with a first transaction, and try again.',
    'warn',
  ],
  foreign_call: [
    'Stop: the transaction is not the one you signed for',
    'It was not sent. Do not send it elsewhere.',
    'bad',
  ],
  signed: ['Signed', 'No transaction is needed now. You can close this tab.', 'good'],
  send_ready: [
    'Signed. One step is left: send it',
    '{wallet} sends the transaction and shows the fee. It carries just what you signed.',
    'plain',
  ],
  'send_ready/rejected': [
    'Signed. One step is left: send it',
    'You declined in the wallet. The signature stands.',
    'warn',
  ],
  'send_ready/other': ['Signed. One step is left: send it', '{wallet} did not send it. The signature stands.', 'warn'],
  sending: ['Sent', 'It usually takes 2–4 seconds. You can close this tab; it goes on without it.', 'plain'],
  unseen: [
    'Sent, but not seen yet',
    'The network does not show the transaction. Look into the wallet before you try again.',
    'warn',
  ],
  confirmed: ['Done in block {block}', 'It becomes final in about an hour. You can close this tab.', 'good'],
  final: ['Done and final, in block {block}', 'You can close this tab.', 'good'],
  reverted: ['Failed on chain', 'Nothing moved but the network’s fee. Get a fresh link to try again.', 'bad'],
};
