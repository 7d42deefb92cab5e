import { type ActionStatus, type Check, type Description, usdcText, withoutTransaction } from '#libs/prepared-action';
import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { clientStanding } from '../../oauth/consent/client-copy.js';
import { leftOf } from '../../credentials/spending/spend-limits.js';
import type { SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import { type ApprovalRequester, screenTexts } from '#libs/approval-wire';
import { type ApprovalFrame, framedPage, moment } from './approval-frame.js';
import type { ApprovalPageContent } from './approval-page-content.js';
import { declinedLine, endedHeading, waitsFor } from './approval-copy.js';
import { comparePanel } from './compare-panel.js';

const UNKNOWN_KIND = 'This page does not know this kind of action.';

/**
 * The page of an action for the browser that has opened it. It is complete without the script, which replaces parts of
 * it.
 */
export function approvalPage(
  frame: ApprovalFrame,
  content: ApprovalPageContent,
  assets: { scripts: readonly AssetName[]; styles: readonly AssetName[] },
): string {
  const { action, status, description } = content;
  const sentence = description?.sentence ?? UNKNOWN_KIND;
  const isAhead = waitsFor(status, action) !== null;
  const heading = isAhead ? sentence : endedHeading(status, action);
  const body = markup`<section id="approval" ${dataOf(frame, content)}>
<h1${heading.length > 110 ? markup` class="long"` : markup``}>${heading}</h1>
${isAhead ? markup`` : markup`<p class="lead">${sentence}</p>\n`}${declinedPart(content)}${deliveryLine(content)}${transactionLine(content)}${askedLine(content)}
<p>Match code <strong translate="no">${content.matchCode}</strong> <span class="small">The app that asked shows the same code.</span></p>
${changesSection(content)}${worstCase(description)}${nextSection(description)}${checksSection(content.checks)}${waysOn(content)}${comparePanel(content)}</section>`;
  return framedPage(frame, { title: heading, body, ...assets });
}

/** The request as it is stored; the script checks the document that it fetches against these attributes. */
function dataOf(
  { displayName }: ApprovalFrame,
  { action, deployment, tree, paths, hashes, matchCode }: ApprovalPageContent,
): SafeHtml {
  const data: Readonly<Record<string, string>> = {
    'action-id': action.id,
    kind: action.kind,
    principal: action.accountId,
    wallet: action.walletAddress,
    'task-id': action.taskId ?? '',
    'node-id': action.nodeId ?? '',
    'chain-id': action.chainId,
    escrow: action.escrowAddress,
    tree: tree === null ? '' : JSON.stringify(tree),
    digest: hashes.digest,
    'request-digest': action.requestDigest,
    'match-code': matchCode,
    deployment: JSON.stringify(deployment),
    paths: JSON.stringify(paths),
    words: JSON.stringify(screenTexts(displayName)),
  };
  return markup`${Object.entries(data).map(([name, value]) => markup`data-${name}="${value}" `)}`;
}

function declinedPart({ status, action }: ApprovalPageContent): SafeHtml {
  return status === 'declined' ? markup`<p>${declinedLine(action.declinedBy)}</p>\n` : markup``;
}

function transactionLine({ status, transactionHash, explorerTransactionUrl }: ApprovalPageContent): SafeHtml {
  if (transactionHash === null) return markup``;
  const hash = markup`<code translate="no">${transactionHash}</code>`;
  if (status === 'unknown') {
    return markup`<p>A transaction was reported for this request, and the network does not show it: ${hash}</p>\n`;
  }
  if (explorerTransactionUrl === null) return markup`<p>Transaction ${hash}</p>\n`;
  const url = explorerTransactionUrl.replace('{hash}', transactionHash);
  return markup`<p>Transaction <a href="${url}" rel="noreferrer noopener">${hash}</a></p>\n`;
}

/** Link to the delivery that the action accepts or rejects. */
function deliveryLine({ paths: { delivery } }: ApprovalPageContent): SafeHtml {
  if (delivery === undefined) return markup``;
  return markup`<p><a class="button" href="${delivery}" target="_blank" rel="noopener">Look at the delivery</a></p>\n`;
}

function askedLine(content: ApprovalPageContent): SafeHtml {
  const { requester, action, spending } = content;
  const left = spending === null ? '' : leftCopy(requester, spending);
  return markup`<p data-kept="asked" class="small">${requesterName(requester)} asked on ${moment(action.createdAt)}. You can sign until ${moment(action.expiresAt)}.${left}${returnLine(content)}</p>
`;
}

/** What whoever asked may still ask for, this request taken off. */
function leftCopy({ kind }: ApprovalRequester, { policy, spent }: SpendStanding): string {
  const { perDay, inTotal } = policy;
  const left = [
    perDay === null ? null : `${usdcText(leftOf(perDay, spent.today))} today (UTC)`,
    inTotal === null ? null : `${usdcText(leftOf(inTotal, spent.inTotal))} in total`,
  ].filter((part) => part !== null);
  return left.length === 0
    ? ''
    : ` This ${kind === 'key' ? 'key' : 'app'} may still ask you to pay ${left.join(' and ')}.`;
}

/** Statuses of an action that its person has done with. */
const SIGNED: ReadonlySet<ActionStatus> = new Set(['signed', 'submitted', 'confirmed', 'final']);

/**
 * The way back to the application that asked, where people sign for a conversation that waits. Of a request that is still
 * open it is there as well, and the style shows it once the page's script says that it is signed.
 */
function returnLine({ requester: { kind, name }, status, action }: ApprovalPageContent): SafeHtml {
  const line = oneLine(name);
  if (kind !== 'application' || line === '') return markup``;
  const isDone = SIGNED.has(status) && waitsFor(status, action) === null;
  return markup` <strong class="${isDone ? 'returns' : 'returns later'}">You can return to <bdi>${line}</bdi>.</strong>`;
}

function requesterName({ kind, name, documentHost, isKnown, isOwn }: ApprovalRequester): SafeHtml {
  const line = oneLine(name);
  if (kind === 'session') return markup`You, signed in here,`;
  if (kind === 'key') return line === '' ? markup`An API key` : markup`The API key “<bdi>${line}</bdi>”`;
  const shown = line === '' ? markup`An app without a known name` : markup`<bdi>${line}</bdi>`;
  if (isOwn === true) return markup`${shown} ${clientStanding({ name, host: null, isOwn })}`;
  // The host of a document does not prove the name, so it is shown apart from it.
  const place =
    documentHost === undefined
      ? markup``
      : markup` <span class="tag">its document is at <bdi>${oneLine(documentHost)}</bdi></span>`;
  return isKnown === true
    ? markup`${shown}${place}`
    : markup`${shown}${place} <span class="tag warn">unverified name</span>`;
}

function changesSection({ money, action, description }: ApprovalPageContent): SafeHtml {
  if (money === null) {
    const sentence = withoutTransaction(action.kind) ?? description?.settles ?? 'No USDC enters or leaves the escrow.';
    return markup`<h2>What changes</h2>\n<p>${sentence}</p>\n`;
  }
  const rows = [
    { account: money.from, change: `−${usdcText(money.amount)}` },
    { account: money.to, change: `+${usdcText(money.amount)}` },
  ];
  return markup`<h2>What changes</h2>
<dl class="facts">
${rows.map(({ account, change }) => markup`<dt>${ownerWords(account, action)}</dt><dd><span class="amount">${change}</span> ${addressText(account)}</dd>\n`)}</dl>
`;
}

function ownerWords(account: string, { walletAddress, escrowAddress }: PreparedActionEntity): string {
  if (account.toLowerCase() === walletAddress.toLowerCase()) return 'Your wallet';
  return account.toLowerCase() === escrowAddress.toLowerCase() ? 'Task escrow' : 'Another wallet';
}

function worstCase(description: Description | null): SafeHtml {
  return description === null ? markup`` : markup`<p class="worst">${description.worstCase}</p>\n`;
}

function nextSection(description: Description | null): SafeHtml {
  if (description === null || description.next.length === 0) return markup``;
  return markup`<h2>What happens next</h2>
<ul>
${description.next.map((line) => markup`<li>${line}</li>\n`)}</ul>
`;
}

const MARKS = { passed: '✓', failed: '✕', unknown: '⚠' } as const;
const STATUS_WORDS = { passed: 'holds', failed: 'does not hold', unknown: 'not known yet' } as const;

function checksSection(checks: readonly Check[]): SafeHtml {
  const count = checks.filter(({ status }) => status === 'passed').length;
  return markup`<details>
<summary>${count} of ${checks.length} checks hold, as far as this server alone can tell</summary>
<ul>
${checks.map(({ status, title, detail }) => markup`<li>${MARKS[status]} ${title}: ${STATUS_WORDS[status]}. <span class="small">${detail}</span></li>\n`)}</ul>
</details>
`;
}

/** What a person can do on the page without the script. */
function waysOn({ status, action, paths, newerPath }: ApprovalPageContent): SafeHtml {
  if (newerPath !== null) {
    return markup`<p class="actions"><a class="button primary" href="${newerPath}">Open the newer request</a></p>\n`;
  }
  if (status === 'expired' || status === 'failed') {
    return markup`<form method="post" action="${paths.renew}"><button class="primary">Get a fresh link</button></form>\n`;
  }
  const next = waitsFor(status, action);
  if (next === null) return markup``;
  if (next === 'sending') {
    return markup`<noscript><p class="notice warn">It is signed. To send it, turn on scripts in a browser that has the wallet.</p></noscript>\n`;
  }
  return markup`<noscript><p class="notice warn">To sign, turn on scripts in a browser that has the wallet.</p></noscript>
<p>Nothing moves until you confirm in your wallet.</p>
<form method="post" action="${paths.decline}"><button>Decline</button></form>
`;
}
