import type { OpenAPIObject } from '@nestjs/swagger';
import { ANY_SCOPE, RequiredScope } from '../../src/modules/credentials/scope.js';
import { generateDocuments } from '../../src/tools/openapi/generated-documents.js';
import { Public } from '../../src/platform/http/public-route.decorator.js';
import { IdempotentRoute } from '../../src/platform/idempotency/idempotency.interceptor.js';
import { previewApp, type RouteHandler, routeHandlers } from './preview-app.js';

/** The built operations of docs/decisions/interface.md#operations: method, path, scope. */
const OPERATIONS: Record<string, [method: string, path: string, scope: string]> = {
  getMe: ['get', '/v1/me', 'read'],
  listTasks: ['get', '/v1/tasks', 'read'],
  getTask: ['get', '/v1/tasks/{task_id}', 'read'],
  listTaskMatches: ['get', '/v1/tasks/{task_id}/matches', 'read'],
  inviteAgents: ['post', '/v1/tasks/{task_id}/invitations', 'buyer'],
  listTaskNodes: ['get', '/v1/tasks/{task_id}/nodes', 'read'],
  getTaskPreview: ['get', '/v1/tasks/{task_id}/preview', 'read'],
  listQuotes: ['get', '/v1/quotes', 'read'],
  listDeliveries: ['get', '/v1/deliveries', 'read'],
  listReputation: ['get', '/v1/reputation', 'read'],
  listReceipts: ['get', '/v1/receipts', 'read'],
  listEvents: ['get', '/v1/events', 'read'],
  streamEvents: ['get', '/v1/events/stream', 'read'],
  getEvent: ['get', '/v1/events/{event_id}', 'read'],
  createWebhookEndpoint: ['post', '/v1/webhook-endpoints', 'read'],
  listWebhookEndpoints: ['get', '/v1/webhook-endpoints', 'read'],
  getWebhookEndpoint: ['get', '/v1/webhook-endpoints/{endpoint_id}', 'read'],
  updateWebhookEndpoint: ['patch', '/v1/webhook-endpoints/{endpoint_id}', 'read'],
  deleteWebhookEndpoint: ['delete', '/v1/webhook-endpoints/{endpoint_id}', 'read'],
  rotateWebhookSecret: ['post', '/v1/webhook-endpoints/{endpoint_id}/secret', 'read'],
  testWebhookEndpoint: ['post', '/v1/webhook-endpoints/{endpoint_id}/test', 'read'],
  listWebhookAttempts: ['get', '/v1/webhook-endpoints/{endpoint_id}/attempts', 'read'],
  replayWebhookEvents: ['post', '/v1/webhook-endpoints/{endpoint_id}/replay', 'read'],
  getEarnings: ['get', '/v1/earnings', 'read'],
  listAgents: ['get', '/v1/agents', 'read'],
  createAgentIdentityMessage: ['post', '/v1/agents/{agent_id}/identity-messages', 'agent-owner'],
  linkAgentIdentity: ['put', '/v1/agents/{agent_id}/identity', 'agent-owner'],
  unlinkAgentIdentity: ['delete', '/v1/agents/{agent_id}/identity', 'agent-owner'],
  getAgentRegistration: ['get', '/v1/agents/{agent_id}/registration', 'read'],
  listAgentFeedback: ['get', '/v1/agents/{agent_id}/feedback', 'agent-owner'],
  getAgentCard: ['get', '/v1/agents/{agent_id}/card', 'read'],
  setAgentEndpoint: ['put', '/v1/agents/{agent_id}/endpoint', 'agent-owner'],
  deleteAgentEndpoint: ['delete', '/v1/agents/{agent_id}/endpoint', 'agent-owner'],
  getAgent: ['get', '/v1/agents/{agent_id}', 'read'],
  getAgentReputation: ['get', '/v1/agents/{agent_id}/reputation', 'read'],
  listAgentNodes: ['get', '/v1/agents/{agent_id}/nodes', 'agent-owner'],
  publishAgent: ['post', '/v1/agents', 'agent-owner'],
  updateAgent: ['patch', '/v1/agents/{agent_id}', 'agent-owner'],
  setAgentAvailability: ['put', '/v1/agents/{agent_id}/availability', 'agent-owner'],
  uploadArtifact: ['put', '/v1/artifacts/{artifact_hash}', 'worker'],
  getDeliveryArtifact: ['get', '/v1/deliveries/{delivery_id}/artifact', 'read'],
  prepareTaskFunding: ['post', '/v1/tasks/{task_id}/funding-intents', 'buyer'],
  prepareSubcontract: ['post', '/v1/tasks/{task_id}/nodes/{node_id}/subcontract-intents', 'worker'],
  prepareTaskCreation: ['post', '/v1/task-creation-intents', 'buyer'],
  prepareTaskResolution: ['post', '/v1/tasks/{task_id}/resolution', 'buyer'],
  prepareTaskRejection: ['post', '/v1/tasks/{task_id}/reject-intents', 'buyer'],
  prepareNodeResolution: ['post', '/v1/tasks/{task_id}/nodes/{node_id}/resolution', 'worker'],
  prepareNodeRejection: ['post', '/v1/tasks/{task_id}/nodes/{node_id}/reject-intents', 'worker'],
  prepareNodeDispute: ['post', '/v1/tasks/{task_id}/nodes/{node_id}/dispute-intents', 'worker'],
  prepareNodeNonDeliveryClaim: ['post', '/v1/tasks/{task_id}/nodes/{node_id}/non-delivery-claim-intents', 'read'],
  submitDelivery: ['post', '/v1/deliveries', 'worker'],
  prepareQuote: ['post', '/v1/quotes', 'worker'],
  prepareTaskSelection: ['post', '/v1/tasks/{task_id}/selection-intents', 'buyer'],
  prepareNodeAbandonment: ['post', '/v1/tasks/{task_id}/nodes/{node_id}/abandon-intents', 'worker'],
  prepareEarningsWithdrawal: ['post', '/v1/earnings/withdrawal-intents', 'worker'],
  prepareRefundWithdrawal: ['post', '/v1/tasks/{task_id}/refund-withdrawal-intents', 'buyer'],
  listActions: ['get', '/v1/actions', 'read'],
  getAction: ['get', '/v1/actions/{action_id}', 'read'],
  submitActionSignature: ['post', '/v1/actions/{action_id}/submissions', 'scope-of-action'],
  declineAction: ['post', '/v1/actions/{action_id}/declines', 'scope-of-action'],
};

let routes: RouteHandler[];
let described: {
  operationId: string;
  method: string;
  path: string;
  scope: unknown;
  tags: unknown;
  parameters: any[];
}[];

beforeAll(async () => {
  routes = routeHandlers(await previewApp());
  const document: OpenAPIObject = JSON.parse((await generateDocuments())['openapi.json']);
  described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]: [string, any]) => ({
      operationId: operation.operationId,
      method,
      path,
      scope: operation['x-required-scope'],
      tags: operation.tags,
      parameters: operation.parameters,
    })),
  );
});

it('every route has exactly one of a required scope and a reason to be public', () => {
  const faults = routes.filter(({ handler, controller }) => {
    const scope = Reflect.getMetadata(RequiredScope.KEY, handler) ?? Reflect.getMetadata(RequiredScope.KEY, controller);
    const reason = Reflect.getMetadata(Public.KEY, handler) ?? Reflect.getMetadata(Public.KEY, controller);
    return (scope === undefined) === (reason === undefined);
  });
  expect(faults.map(({ name }) => name)).toEqual([]);
  expect(routes.length).toBeGreaterThanOrEqual(Object.keys(OPERATIONS).length);
});

it('the operations are those of the interface, with their method, path and scope', () => {
  const built = Object.fromEntries(
    described.map(({ operationId, method, path, scope }) => [operationId, [method, path, scope]]),
  );
  expect(built).toEqual(OPERATIONS);
});

it('an operation is named by the method that serves it, and by no other', () => {
  const names = routes.map(({ method }) => method);
  expect(described.map(({ operationId }) => operationId).filter((id) => !names.includes(id))).toEqual([]);
  const ids = described.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('every route with a scope is described', () => {
  // The MCP endpoint is no operation: what it calls are operations, each with its scope.
  const operations = routes.filter(({ handler }) => {
    const scope: unknown = Reflect.getMetadata(RequiredScope.KEY, handler);
    return scope !== undefined && scope !== ANY_SCOPE;
  });
  expect(operations.map(({ method }) => method).sort()).toEqual(described.map(({ operationId }) => operationId).sort());
});

it('every write asks for an idempotency key, and no read does', () => {
  const keyed = routes.filter(({ handler }) => Reflect.hasMetadata(IdempotentRoute.KEY, handler));
  const writes = described.filter(({ method }) => method !== 'get');
  expect(keyed.map(({ method }) => method).sort()).toEqual(writes.map(({ operationId }) => operationId).sort());
  for (const { parameters } of writes) {
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: true }),
    );
  }
});

it('every list takes a cursor and a limit', () => {
  for (const { operationId, parameters } of described.filter((operation) => operation.operationId.startsWith('list'))) {
    const names = parameters.map(({ name }) => name);
    expect([operationId, names.includes('cursor') && names.includes('limit')]).toEqual([operationId, true]);
  }
});
