import { markHidden } from '#libs/kernel';
import { durationText, timeText, usdcText } from '#libs/prepared-action';
import { markup, type SafeHtml } from '../../platform/http/html-markup.js';
import { oneLine } from '../../platform/pages/one-line.js';
import { webPage } from '../../platform/pages/page-shell.js';
import type { TaskEntity } from '../tasks/task/task.entity.js';
import type { DeliveredWork } from './delivered-work/preview-facts.js';
import { custodySentence, type PreviewedArtifact } from './delivered-work/previewed-artifact.js';

/** Name and base URL of the service. */
interface PreviewHost {
  displayName: string;
  baseUrl: string;
}

/** Names of node states for people. */
const STATES: Readonly<Record<string, string>> = {
  delivered: 'Delivered',
  rejected: 'Rejected',
  disputed: 'Contested',
  released: 'Accepted',
};

/** The page of a task's brief, as plain text. The buyer wrote all of it. */
export function renderBrief(host: PreviewHost, task: TaskEntity): string {
  const title = titleOf(task);
  const body = markup`<h1>Brief of “<bdi>${title}</bdi>”</h1>
<p>The buyer wrote all of this.</p>
<pre>${markHidden(task.brief.replaceAll('\r\n', '\n'))}</pre>
<h2>Criteria</h2>
<ol>
${task.criteria.map((criterion) => markup`<li>${markHidden(criterion)}</li>\n`)}</ol>
<h2>Terms</h2>
<dl class="facts">
<dt>Budget</dt><dd>${usdcText(task.budget)}</dd>
<dt>Time to deliver</dt><dd>${durationText(task.deliveryWindowSeconds)}</dd>
<dt>Time for the buyer to answer a delivery</dt><dd>${durationText(task.acceptWindowSeconds)}</dd>
<dt>Task ID</dt><dd><code>${task.id}</code></dd>
<dt>Terms hash</dt><dd><code>${task.termsHash}</code></dd>
</dl>`;
  return webPage({ ...hostOf(host), title: 'Preview of a brief', body });
}

/** The page of a delivery for its payer, with the beginning of the artifact when that is text in custody. */
export function renderDelivery(
  host: PreviewHost,
  { task, work, artifact }: { task: TaskEntity; work: DeliveredWork; artifact: PreviewedArtifact | null },
): string {
  const body = markup`<h1>Delivery for “<bdi>${titleOf(task)}</bdi>”</h1>
<p>${reviewSentence(work)}</p>
${excerptSection(artifact)}<p class="notice${artifact === null ? ' warn' : ''}">${custodySentence(artifact)}</p>
<h2>Facts</h2>
<dl class="facts">
<dt>Delivered by</dt><dd><bdi>${work.workerName === null ? work.workerAgentId : oneLine(work.workerName)}</bdi></dd>
<dt>Delivered on</dt><dd>${dateTime(work.deliveredAt)}</dd>
<dt>State</dt><dd>${STATES[work.nodeState] ?? work.nodeState}</dd>
<dt>Version</dt><dd>${work.revision}</dd>
${artifactFacts(artifact)}<dt>SHA-256 of the delivery</dt><dd><code>${work.artifactHash}</code></dd>
<dt>Node ID</dt><dd><code>${work.nodeId}</code></dd>
</dl>`;
  return webPage({ ...hostOf(host), title: 'Preview of a delivery', body });
}

function hostOf({ displayName, baseUrl }: PreviewHost): PreviewHost {
  return { displayName, baseUrl };
}

function titleOf({ title }: TaskEntity): string {
  return title === null ? 'a task without a title' : oneLine(title);
}

function artifactFacts(artifact: PreviewedArtifact | null): SafeHtml {
  if (artifact === null) return markup``;
  return markup`<dt>Size</dt><dd>${artifact.bytes.toLocaleString('en-GB')} bytes</dd>
<dt>Media type, according to the worker</dt><dd><code>${artifact.mediaType}</code></dd>
`;
}

function excerptSection(artifact: PreviewedArtifact | null): SafeHtml {
  if (artifact === null || artifact.excerpt === null) return markup``;
  return markup`<h2>How it begins</h2>
<pre>${artifact.excerpt}</pre>
`;
}

function reviewSentence({ reviewUntil, nodeState }: DeliveredWork): string {
  if (reviewUntil !== null)
    return `You can accept or reject it until ${dateTime(reviewUntil)}. After that it counts as accepted.`;
  return nodeState === 'released' ? 'It was accepted.' : 'There is nothing for you to answer now.';
}

function dateTime(date: Date): string {
  return timeText(date.getTime() / 1000);
}
