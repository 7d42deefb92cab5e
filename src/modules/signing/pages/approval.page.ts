import type { Check, Description } from '#libs/prepared-action';
import { formatUsdc } from '#libs/kernel';
import { markup, type SafeHtml } from '../../../platform/http/html-page.js';
import { addressText } from '../../../platform/web/address-text.js';
import type { AssetName } from '../../../platform/web/assets.js';
import { oneLine } from '../../../platform/web/one-line.js';
import type { PreparedActionEntity } from '../../prepared-actions/prepared-action.entity.js';
import type { ApprovalRequester } from '../approval-document.js';
import { type ApprovalFrame, framedPage, moment } from './approval-frame.js';
import type { ApprovalPageContent } from './approval-page-content.js';
import { endedHeading, isOpen } from './approval-words.js';
import { comparePanel } from './compare-panel.js';
import { SCREEN_CATALOGUE } from './screen-catalogue.js';

const UNKNOWN_KIND = 'This page does not know this kind of action.';

/** The page of an action for the browser that has it open: complete as it is, and where the script takes over. */
export function approvalPage(
  frame: ApprovalFrame,
  content: ApprovalPageContent,
  assets: { scripts: readonly AssetName[]; styles: readonly AssetName[] },
): string {
  const { action, status, description } = content;
  const sentence = description?.sentence ?? UNKNOWN_KIND;
  const heading = isOpen(status) ? sentence : endedHeading(status, action);
  const body = markup`<section id="approval" ${dataOf(content)}>
<h1>${heading}</h1>
${isOpen(status) ? markup`` : markup`<p class="lead">${sentence}</p>\n`}${taskLine(content, sentence)}${transactionLine(content)}${askedLine(content)}
<p>Match code <strong translate="no">${content.matchCode}</strong> <span class="small">If the app that asked shows one, it is the same.</span></p>
${changesSection(content)}${nextSection(description)}${checksSection(content.checks)}${waysOn(content)}${comparePanel(content)}</section>`;
  return framedPage(frame, { title: heading, body, ...assets });
}

/** The request as the row has it: the script checks the document that it fetches against this. */
function dataOf({ action, deployment, tree, paths, hashes, matchCode }: ApprovalPageContent): SafeHtml {
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
    words: JSON.stringify(SCREEN_CATALOGUE),
  };
  return markup`${Object.entries(data).map(([name, value]) => markup`data-${name}="${value}" `)}`;
}

function transactionLine({ transactionHash, explorerTransactionUrl }: ApprovalPageContent): SafeHtml {
  if (transactionHash === null) return markup``;
  const hash = markup`<code translate="no">${transactionHash}</code>`;
  if (explorerTransactionUrl === null) return markup`<p>Transaction ${hash}</p>\n`;
  const url = explorerTransactionUrl.replace('{hash}', transactionHash);
  return markup`<p>Transaction <a href="${url}" rel="noreferrer noopener">${hash}</a></p>\n`;
}

/** The task, where the sentence does not name it. */
function taskLine({ taskTitle }: ApprovalPageContent, sentence: string): SafeHtml {
  const title = taskTitle === null ? '' : oneLine(taskTitle);
  if (title === '' || sentence.includes(title)) return markup``;
  return markup`<p>Task “<bdi>${title}</bdi>”</p>\n`;
}

function askedLine({ requester, action }: ApprovalPageContent): SafeHtml {
  return markup`<p data-kept="asked">Asked for by ${requesterName(requester)} at ${moment(action.createdAt)}; can be signed until ${moment(action.expiresAt)}.</p>
`;
}

function requesterName({ kind, name, verifiedHost }: ApprovalRequester): SafeHtml {
  const line = oneLine(name);
  const shown = line === '' ? markup`a name that is not known` : markup`<bdi>${line}</bdi>`;
  if (kind === 'key') return markup`your API key ${shown}`;
  if (kind === 'session') return markup`you, signed in here`;
  if (verifiedHost === undefined) return markup`${shown} <span class="tag warn">unverified name</span>`;
  return markup`${shown} <span class="tag">✓ verified by <bdi>${oneLine(verifiedHost)}</bdi></span>`;
}

function changesSection({ money, action }: ApprovalPageContent): SafeHtml {
  if (money === null) return markup`<h2>What changes</h2>\n<p>No USDC enters or leaves the escrow by this.</p>\n`;
  const rows = [
    { account: money.from, change: `−${formatUsdc(money.amount)}` },
    { account: money.to, change: `+${formatUsdc(money.amount)}` },
  ];
  return markup`<h2>What changes</h2>
<dl class="facts">
${rows.map(({ account, change }) => markup`<dt>${ownerWords(account, action)}</dt><dd><span class="amount">${change} USDC</span> ${addressText(account)}</dd>\n`)}</dl>
`;
}

function ownerWords(account: string, { walletAddress, escrowAddress }: PreparedActionEntity): string {
  if (account.toLowerCase() === walletAddress.toLowerCase()) return 'Your wallet';
  return account.toLowerCase() === escrowAddress.toLowerCase() ? 'Escrow of this task' : 'Another account';
}

function nextSection(description: Description | null): SafeHtml {
  if (description === null || description.next.length === 0) return markup``;
  return markup`<h2>What happens next</h2>
<ul>
${description.next.map((line) => markup`<li>${line}</li>\n`)}</ul>
`;
}

const MARKS = { passed: '✓', failed: '✕', unknown: '⚠' } as const;
const STATUS_WORDS = { passed: 'holds', failed: 'does not hold', unknown: 'not known here' } as const;

function checksSection(checks: readonly Check[]): SafeHtml {
  const count = checks.filter(({ status }) => status === 'passed').length;
  return markup`<details>
<summary>${count} of ${checks.length} checks hold by this server alone</summary>
<ul>
${checks.map(({ status, title, detail }) => markup`<li>${MARKS[status]} ${title}: ${STATUS_WORDS[status]}. <span class="small">${detail}</span></li>\n`)}</ul>
</details>
`;
}

/** What a person can do without the script. */
function waysOn({ status, paths, newerPath }: ApprovalPageContent): SafeHtml {
  if (newerPath !== null) {
    return markup`<p class="actions"><a class="button primary" href="${newerPath}">Open the newer one</a></p>\n`;
  }
  if (status === 'expired' || status === 'failed') {
    return markup`<form method="post" action="${paths.renew}"><button class="primary">Get a fresh link</button></form>\n`;
  }
  if (!isOpen(status)) return markup``;
  return markup`<noscript><p class="notice warn">To sign, open this page with scripts on, in a browser that has the wallet.</p></noscript>
<p>Nothing moves until you confirm in your wallet.</p>
<form method="post" action="${paths.decline}"><button>Decline</button></form>
`;
}
