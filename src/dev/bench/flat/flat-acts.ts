import { createHash } from 'node:crypto';
import { payloadDigest } from '../../../modules/prepared-actions/payload/payload-digest.js';
import type { FlatTargets, Place } from './flat-targets.sql.js';
import type { FlatCaller } from './flat-people.js';
import type { FlatRequest } from './flat-requests.js';
import { identityOf, REGISTRY_NAME } from './live/wallet-identities.js';

/** The last answer to each operation, as JSON. Later requests take ids from it. */
export type Answers = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/**
 * Makes a request, from earlier answers where it needs them. Null: the answer it needs is missing, so nothing is sent.
 */
export type FlatAct = (answers: Answers) => FlatRequest | null;

const WEEK_SECONDS = 604_800;
const ARTIFACT = 'Translated by the bench.';
const ARTIFACT_HASH = `0x${createHash('sha256').update(ARTIFACT).digest('hex')}`;
/** A receiver on this machine that nobody is. */
const NOBODY = 'http://127.0.0.1:65535/';
const DESTINATION = `0x${'1'.repeat(40)}`;
const CREATION = {
  brief: 'Translate the handbook.',
  budget: { amount: '50.00', currency: 'USDC' },
  selection_mode: 'manual',
};
/** A webhook endpoint at which nobody is. */
export const ENDPOINT = { url: NOBODY, types: ['quote.accepted'] };
/** Signature that an account without a wallet hands in. */
const NO_SIGNATURE = `0x${'1b'.repeat(65)}`;

/**
 * Every operation that writes, prepares, uploads or submits, and the account and approval pages, ordered so that each
 * comes after those whose answers it needs. Operations that the caller is not allowed are sent too, because a refusal
 * also costs reads.
 */
export function flatActs(caller: FlatCaller, targets: FlatTargets): FlatAct[] {
  const { accountId } = caller;
  const agentId = caller.ownAgentId ?? caller.agentId;
  const plain = (operation: string, scope: string, method: string, path: string, body?: object): FlatAct => {
    const request = { operation, scope, method, path, filters: '', isList: false };
    return () => ({ ...request, ...(body ? { body: JSON.stringify(body), type: 'application/json' } : {}) });
  };
  const onTask = (operation: string, task: string | null, path: string, body?: object): FlatAct[] =>
    task === null ? [] : [plain(operation, 'buyer', 'POST', `/v1/tasks/${task}/${path}`, body)];
  const onNode = (operation: string, scope: string, place: Place | null, path: string, body?: object): FlatAct[] =>
    place === null
      ? []
      : [plain(operation, scope, 'POST', `/v1/tasks/${place.task_id}/nodes/${place.node_id}/${path}`, body)];
  const onEndpoint = (operation: string, method: string, path: string, body?: object): FlatAct[] => [
    (answers) => {
      const { id = 'none' } = answers.get('createWebhookEndpoint') ?? {};
      return plain(operation, 'read', method, `/v1/webhook-endpoints/${String(id)}${path}`, body)(answers);
    },
  ];
  const page = (path: string, name = path): FlatAct => plain(`page ${name}`, 'session', 'GET', path);
  return [
    plain('publishAgent', 'agent-owner', 'POST', '/v1/agents', {
      name: 'Bench',
      agent_card_url: 'https://agents.example/card',
      // A new address, so that no other account has this wallet.
      wallet_address: `0x${createHash('sha256').update(accountId).digest('hex').slice(0, 40)}`,
    }),
    plain('updateAgent', 'agent-owner', 'PATCH', `/v1/agents/${agentId}`, { description: 'Works on handbooks.' }),
    plain('setAgentAvailability', 'agent-owner', 'PUT', `/v1/agents/${agentId}/availability`, { available: true }),
    // Refused: the card is on no host that exists. The deletion is refused for the same reason.
    plain('setAgentEndpoint', 'agent-owner', 'PUT', `/v1/agents/${agentId}/endpoint`, {
      url: 'https://agents.example/a2a',
    }),
    plain('deleteAgentEndpoint', 'agent-owner', 'DELETE', `/v1/agents/${agentId}/endpoint`),
    ...identityActs(caller),
    plain('prepareTaskCreation', 'buyer', 'POST', '/v1/task-creation-intents', CREATION),
    plain('prepareQuote', 'worker', 'POST', '/v1/quotes', {
      task_id: targets.offered,
      price: { amount: '20.00', currency: 'USDC' },
      work_seconds: WEEK_SECONDS,
      terms_hash: targets.terms_hash,
      agent_id: agentId,
    }),
    ...onTask('inviteAgents', targets.curated, 'invitations', { agent_ids: [targets.other_agent] }),
    ...onTask('prepareTaskSelection', targets.open, 'selection-intents', { mode: 'auto' }),
    ...onTask('prepareTaskFunding', targets.chosen, 'funding-intents', {}),
    ...onTask('prepareTaskResolution', targets.delivered, 'resolution', { resolution: 'accept' }),
    ...onTask('prepareTaskRejection', targets.delivered, 'reject-intents', { reason: 'Page 12 is missing.' }),
    ...onTask('prepareRefundWithdrawal', targets.refunded, 'refund-withdrawal-intents', { destination: DESTINATION }),
    ...onNode('prepareNodeAbandonment', 'worker', targets.funded_node, 'abandon-intents'),
    ...onNode('prepareNodeDispute', 'worker', targets.rejected_node, 'dispute-intents', {}),
    ...onNode('prepareNodeNonDeliveryClaim', 'read', targets.overdue_node, 'non-delivery-claim-intents'),
    ...onNode('prepareNodeResolution', 'worker', targets.delivered_node, 'resolution', { resolution: 'accept' }),
    ...onNode('prepareNodeRejection', 'worker', targets.delivered_node, 'reject-intents', { reason: 'It is short.' }),
    ...onNode('prepareSubcontract', 'worker', targets.hiring, 'subcontract-intents', {
      quote_id: targets.hiring?.quote_id,
      accept_window_seconds: 259_200,
    }),
    plain('prepareEarningsWithdrawal', 'worker', 'POST', '/v1/earnings/withdrawal-intents', {
      destination: DESTINATION,
    }),
    () => ({
      operation: 'uploadArtifact',
      scope: 'worker',
      method: 'PUT',
      path: `/v1/artifacts/${ARTIFACT_HASH}`,
      body: ARTIFACT,
      type: 'text/plain',
      filters: '',
      isList: false,
    }),
    (answers) =>
      plain('submitDelivery', 'worker', 'POST', '/v1/deliveries', {
        task_id: targets.funded_node?.task_id,
        node_id: targets.funded_node?.node_id,
        artifact_hash: ARTIFACT_HASH,
        custody_receipt: answers.get('uploadArtifact')?.custody_receipt ?? 'none',
      })(answers),
    () => submission(caller),
    decline,
    ...(targets.delivery_id === null
      ? []
      : [
          (answers: Answers) => {
            const path = `/v1/deliveries/${targets.delivery_id}/artifact`;
            const request = plain('getDeliveryArtifact', 'read', 'GET', path)(answers);
            return request && { ...request, filters: 'in custody' };
          },
        ]),
    (answers) => linked('artifact link', answers.get('getDeliveryArtifact')?.url, ''),
    plain('createWebhookEndpoint', 'read', 'POST', '/v1/webhook-endpoints', ENDPOINT),
    ...onEndpoint('updateWebhookEndpoint', 'PATCH', '', { description: 'Bench' }),
    ...onEndpoint('rotateWebhookSecret', 'POST', '/secret'),
    ...onEndpoint('replayWebhookEvents', 'POST', '/replay', { failed: true }),
    ...onEndpoint('testWebhookEndpoint', 'POST', '/test'),
    () => endpointDeletion(),
    ...['', '/document', '/progress', '/simulation'].map(
      (path): FlatAct =>
        (answers) =>
          linked(`approval page ${path}`, answers.get('prepareTaskCreation')?.signing_url, path),
    ),
    ...['', '/apps', '/keys', '/wallets', '/sessions', '/receipts', '/activity'].map((path) => page(`/account${path}`)),
    ...(targets.receipt_id === null ? [] : [page(`/account/receipts/${targets.receipt_id}`, 'of a receipt')]),
  ];
}

/**
 * Links an agent to the identity that the caller's wallet owns, looks at it, and ends the link. Each link is signed anew, and
 * each end has a link of its own before it. Who has no agent or no wallet is refused each of them.
 */
function identityActs({ agentId, ownAgentId, wallet }: FlatCaller): FlatAct[] {
  const own = ownAgentId !== null && wallet !== null;
  const agent = `/v1/agents/${ownAgentId ?? agentId}`;
  const asOwner = { scope: 'agent-owner', type: 'application/json', filters: '', isList: false };
  const identity = wallet === null ? { agent_registry: REGISTRY_NAME, token_id: '1' } : identityOf(wallet);
  const message: FlatRequest = {
    ...asOwner,
    operation: 'createAgentIdentityMessage',
    method: 'POST',
    path: `${agent}/identity-messages`,
    body: JSON.stringify(identity),
  };
  const at = { path: `${agent}/identity` };
  const link: FlatRequest = {
    ...asOwner,
    ...at,
    operation: 'linkAgentIdentity',
    method: 'PUT',
    body: JSON.stringify({ ...identity, expires_at: '2026-11-20T13:55:00Z', signature: NO_SIGNATURE }),
    ...(own && {
      after: {
        request: message,
        follows: ({ typed_data: typedData, expires_at }) => {
          const { digest } = payloadDigest(typedData as Record<string, unknown>);
          const signature = wallet.signingKey.sign(digest).serialized;
          return { ...at, body: JSON.stringify({ ...identity, expires_at, signature }) };
        },
      },
    }),
  };
  const registration: FlatRequest = {
    operation: 'getAgentRegistration',
    scope: 'read',
    path: `${agent}/registration`,
    filters: 'after linking',
    isList: false,
  };
  const unlink: FlatRequest = {
    ...at,
    operation: 'unlinkAgentIdentity',
    scope: 'agent-owner',
    method: 'DELETE',
    filters: '',
    isList: false,
    ...(own && { after: { request: link, follows: () => at } }),
  };
  const feedback: FlatRequest = {
    operation: 'listAgentFeedback',
    scope: 'agent-owner',
    path: `${agent}/feedback?limit=20`,
    filters: 'after linking',
    isList: false,
  };
  return [message, link, registration, feedback, unlink].map((request) => () => request);
}

/**
 * Submits the signature of a task creation. A new creation is prepared each time, because each signature takes effect
 * once.
 */
function submission({ wallet }: FlatCaller): FlatRequest {
  const asBuyer = { scope: 'buyer', method: 'POST', type: 'application/json', filters: '', isList: false };
  const path = '/v1/task-creation-intents';
  const request = { ...asBuyer, operation: 'prepareTaskCreation to sign', path, body: JSON.stringify(CREATION) };
  return {
    ...asBuyer,
    operation: 'submitActionSignature',
    path: '/v1/actions',
    after: {
      request,
      follows: (answer) => {
        const payload = answer.payload as Record<string, unknown>;
        const signature = wallet?.signingKey.sign(payloadDigest(payload).digest).serialized ?? NO_SIGNATURE;
        return { path: `/v1/actions/${String(answer.action_id)}/submissions`, body: JSON.stringify({ signature }) };
      },
    },
  };
}

/** Declines a task creation, a new one each time, because each is declined once. */
function decline(): FlatRequest {
  const asBuyer = { scope: 'buyer', method: 'POST', type: 'application/json', filters: '', isList: false };
  const path = '/v1/task-creation-intents';
  const request = { ...asBuyer, operation: 'prepareTaskCreation to decline', path, body: JSON.stringify(CREATION) };
  return {
    ...asBuyer,
    operation: 'declineAction',
    path: '/v1/actions',
    after: {
      request,
      follows: ({ action_id: id }) => ({ path: `/v1/actions/${String(id)}/declines`, body: '{}' }),
    },
  };
}

/** Deletes a webhook endpoint, a new one each time, because each is deleted once. */
function endpointDeletion(): FlatRequest {
  const asReader = { scope: 'read', path: '/v1/webhook-endpoints', filters: '', isList: false };
  const request = {
    ...asReader,
    operation: 'createWebhookEndpoint to delete',
    method: 'POST',
    type: 'application/json',
    body: JSON.stringify(ENDPOINT),
  };
  return {
    ...asReader,
    operation: 'deleteWebhookEndpoint',
    method: 'DELETE',
    after: { request, follows: ({ id }) => ({ path: `${asReader.path}/${String(id)}` }) },
  };
}

/** A GET of an address that an earlier answer gave; null when there was none. */
function linked(operation: string, address: unknown, path: string): FlatRequest | null {
  if (typeof address !== 'string') return null;
  const { pathname, search } = new URL(address);
  return {
    operation,
    scope: 'session',
    method: 'GET',
    path: `${pathname}${path}${search}`,
    filters: '',
    isList: false,
  };
}
