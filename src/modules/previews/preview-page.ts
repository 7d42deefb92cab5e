import { formatUsdc, stripControls } from '#libs/kernel';
import { htmlDocument, markup, type SafeHtml } from '../../platform/http/html-page.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import type { DeliveredWork } from './preview-facts.js';
import { custodySentence, type PreviewedArtifact } from './previewed-artifact.js';

const SECONDS_PER_HOUR = 3_600;

/** The gated brief, as text. Every word of it is the buyer's. */
export function renderBrief(task: TaskEntity): string {
  const hours = (seconds: number): string => `${Math.floor(seconds / SECONDS_PER_HOUR)} hours`;
  const body = markup`<h1>${stripControls(task.title ?? 'Task without a title')}</h1>
<p>Brief of task <code>${task.id}</code>, in its buyer's words.</p>
<pre>${stripControls(task.brief)}</pre>
<h2>Criteria</h2>
<ol>
${task.criteria.map((criterion) => markup`<li>${stripControls(criterion)}</li>\n`)}</ol>
<dl>
<dt>Budget</dt><dd>${formatUsdc(task.budget)} USDC</dd>
<dt>Time to deliver</dt><dd>${hours(task.deliveryWindowSeconds)}</dd>
<dt>Time for the buyer to answer a delivery</dt><dd>${hours(task.acceptWindowSeconds)}</dd>
<dt>Terms hash</dt><dd><code>${task.termsHash}</code></dd>
</dl>`;
  return htmlDocument('Preview of a brief', body);
}

/** The facts of a delivery for whoever pays for it, with a beginning of its artifact when that is text in custody. */
export function renderDelivery(work: DeliveredWork, artifact: PreviewedArtifact | null): string {
  const body = markup`<h1>Delivered work</h1>
<p>${reviewSentence(work)}</p>
<p>${custodySentence(artifact)}</p>
<dl>
<dt>Artifact hash</dt><dd><code>${work.artifactHash}</code></dd>
${artifactFacts(artifact)}<dt>Delivered at</dt><dd>${work.deliveredAt.toISOString()}</dd>
<dt>Delivered by</dt><dd><code>${work.workerAgentId}</code></dd>
<dt>Revision</dt><dd>${work.revision}</dd>
<dt>Node</dt><dd><code>${work.nodeId}</code> (${work.nodeState})</dd>
</dl>${excerptSection(artifact)}`;
  return htmlDocument('Preview of delivered work', body);
}

function artifactFacts(artifact: PreviewedArtifact | null): SafeHtml {
  if (artifact === null) return markup``;
  return markup`<dt>Size</dt><dd>${artifact.bytes} bytes</dd>
<dt>Media type, as its worker says</dt><dd><code>${artifact.mediaType}</code></dd>
`;
}

function excerptSection(artifact: PreviewedArtifact | null): SafeHtml {
  if (artifact === null || artifact.excerpt === null) return markup``;
  return markup`
<h2>How it begins</h2>
<pre>${artifact.excerpt}</pre>`;
}

function reviewSentence({ reviewUntil, nodeState }: DeliveredWork): string {
  if (reviewUntil === null) return `The node is ${nodeState}; there is nothing to answer.`;
  return `You may accept or reject it until ${reviewUntil.toISOString()}; after that it counts as accepted.`;
}
