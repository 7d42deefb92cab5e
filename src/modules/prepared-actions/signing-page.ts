import { stripControls } from '#libs/kernel';
import { htmlDocument, markup, type SafeHtml } from '../../platform/http/html-page.js';
import type { ActionStatus } from './action-status.js';

/** Longest title of a task that is shown; it is another person's text. */
const TITLE_LENGTH = 80;

export const NOTICE =
  'The approval page that talks to a wallet is not part of this release. This page only shows what would be signed; ' +
  'opening it changes nothing.';

/** Everything the page says. */
export interface SigningPageContent {
  displayName: string;
  /** Written from the typed data alone. */
  sentence: string;
  taskTitle: string | null;
  status: ActionStatus;
  transactionHash: string | null;
  expiresAt: Date;
  /** Members of the action by name, as on the wire. */
  members: Readonly<Record<string, string>>;
  /** Typed data, and the call under `transaction`. */
  payload: Readonly<Record<string, unknown>>;
}

/** What to do with the typed data, in sentences. */
export function howToSign({ walletAddress, chainId }: { walletAddress: string; chainId: string }): string[] {
  return [
    `Use the wallet ${walletAddress} on chain ${chainId}; no other signature is accepted.`,
    'Either send `payload.transaction` from that wallet: eth_sendTransaction with the object as it stands.',
    'Or sign with eth_signTypedData_v4(wallet, payload) and let anyone send the same call with the signature put into ' +
      'its authorisation.',
    'Compare what the wallet shows with this page before confirming.',
  ];
}

/** What it means that the action is in this status. */
export function statusSentence({
  status,
  expiresAt,
  transactionHash,
}: Pick<SigningPageContent, 'status' | 'expiresAt' | 'transactionHash'>): string {
  switch (status) {
    case 'prepared':
      return `Not signed yet. It can be executed until ${expiresAt.toISOString()}; this cannot be undone afterwards.`;
    case 'confirmed':
    case 'final':
      return `Already executed in transaction ${transactionHash ?? ''}. There is nothing left to sign.`;
    case 'signed':
      return 'Signed; it is carried out by the transaction that takes it to the chain. There is nothing left to sign.';
    case 'submitted':
      return `Sent in transaction ${transactionHash ?? ''}; it waits for its block. There is nothing left to sign.`;
    case 'unknown':
      return `Sent in transaction ${transactionHash ?? ''}, which the chain does not show yet. Do not sign again before it does.`;
    case 'failed':
      return `Transaction ${transactionHash ?? ''} failed and changed nothing. Prepare the action again.`;
    case 'superseded':
      return 'The chain no longer allows this action. There is nothing to sign.';
    case 'expired':
      return `Expired at ${expiresAt.toISOString()}. There is nothing to sign.`;
  }
}

/** The page as an HTML document: text only. */
export function renderSigningPage(content: SigningPageContent): string {
  const { members, payload, displayName } = content;
  const steps = howToSign({ walletAddress: members['wallet_address'] ?? '', chainId: members['chain_id'] ?? '' });
  const body = markup`<h1>${content.sentence}</h1>
${titleParagraph(content.taskTitle)}<p><strong>${statusSentence(content)}</strong></p>
<p>${NOTICE}</p>
<h2>How to sign</h2>
<ol>
${steps.map((step) => markup`<li>${step}</li>\n`)}</ol>
<h2>What the action is bound to</h2>
<dl>
${Object.entries(members).map(([name, value]) => markup`<dt>${name}</dt><dd><code>${value}</code></dd>\n`)}</dl>
<h2>Typed data and call</h2>
<pre>${JSON.stringify(payload, null, 2)}</pre>
<p>${displayName} never holds a key and never signs.</p>`;
  return htmlDocument(`${displayName}: review an action`, body);
}

function titleParagraph(title: string | null): SafeHtml {
  return title === null ? markup`` : markup`<p>The task is called “${oneLine(title)}” by its buyer.</p>\n`;
}

/** One line of at most 80 characters without anything that a reader could not see. */
function oneLine(title: string): string {
  const characters = Array.from(stripControls(title).replace(/\s+/g, ' ').trim());
  return characters.length <= TITLE_LENGTH ? characters.join('') : `${characters.slice(0, TITLE_LENGTH - 1).join('')}…`;
}
