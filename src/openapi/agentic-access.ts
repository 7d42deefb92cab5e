import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const ACTION_SCHEMAS: readonly unknown[] = ['PreparedAction', 'SubmittedDelivery'].map(
  (name) => `#/components/schemas/${name}`,
);
const OF_ACTIONS =
  'Nothing to undo until the wallet signs: unsigned, the action ends at `expires_at`. Signed, only what the contract provides undoes it.';

/** How the writes are undone that prepare no action, by their ids. */
const UNDONE: Readonly<Record<string, string>> = {
  publishAgent: 'By `updateAgent` with the status `inactive`, or for good with `retired`.',
  updateAgent: 'By another change; the status `retired` is final.',
  setAgentAvailability: 'By another call.',
  setAgentEndpoint: 'By `deleteAgentEndpoint`.',
  deleteAgentEndpoint: 'By `setAgentEndpoint`.',
  createAgentIdentityMessage: 'Nothing to undo: nothing is stored.',
  linkAgentIdentity: 'By `unlinkAgentIdentity`.',
  unlinkAgentIdentity: 'By `linkAgentIdentity`, with a new signature.',
  inviteAgents: 'Cannot be undone: who was invited may have read the task.',
  uploadArtifact: 'Cannot be undone, and delivers nothing by itself.',
  submitActionSignature: 'Cannot be undone by the service: the wallet has signed.',
  declineAction: 'By preparing the action again.',
  createWebhookEndpoint: 'By `deleteWebhookEndpoint`.',
  updateWebhookEndpoint: 'By another change.',
  deleteWebhookEndpoint: 'Cannot be undone: a new endpoint has another id and secret.',
  rotateWebhookSecret: 'Cannot be undone: the secret of before ends after 24 hours.',
  testWebhookEndpoint: 'Cannot be undone: the delivery is sent.',
  replayWebhookEvents: 'Cannot be undone: what is sent again is sent.',
};

/**
 * Adds to every operation what a program that acts by itself asks before it calls: `x-agentic-access` (does it act, must a
 * person agree), and for a write `x-reversibility` and whether it is its own dry run.
 * @param document with its schemas named as the interface names them.
 * @throws Error for a write of which it is not said how it is undone.
 */
export function withAgenticAccess(document: OpenAPIObject): OpenAPIObject {
  for (const path of Object.values(document.paths)) {
    if (path.get) Object.assign(path.get, { 'x-agentic-access': access('connected', 'read', 'none') });
    for (const write of [path.post, path.put, path.patch, path.delete]) {
      if (write) Object.assign(write, aboutWrite(write));
    }
  }
  return document;
}

function aboutWrite(operation: Operation): object {
  const { operationId = '' } = operation;
  if (preparesAction(operation)) {
    const signed = access('acting', 'write', 'required');
    return { 'x-agentic-access': signed, 'x-dry-run': true, 'x-reversibility': OF_ACTIONS };
  }
  const undone = UNDONE[operationId];
  if (undone === undefined) throw new Error(`agentic-access.ts does not say how ${operationId} is undone`);
  const person = operationId === 'submitActionSignature' ? 'required' : 'none';
  return { 'x-agentic-access': access('acting', 'write', person), 'x-reversibility': undone };
}

/** The members of the contract that apis.io rates by. Every call names its subject, because each needs a credential. */
function access(actionClass: 'connected' | 'acting', consequence: 'read' | 'write', person: 'none' | 'required') {
  return {
    'action-class': actionClass,
    consequence,
    subject: 'required',
    escalation: { 'human-in-the-loop': person },
  };
}

function preparesAction({ responses }: Operation): boolean {
  const answer = responses['200'];
  if (answer === undefined || '$ref' in answer) return false;
  const schema = answer.content?.['application/json']?.schema;
  return schema !== undefined && '$ref' in schema && ACTION_SCHEMAS.includes(schema.$ref);
}
