import { createHash } from 'node:crypto';

/** The body that specs send to an operation when they are not about the body. */
export interface SampleRequest {
  body: string;
  type: 'application/json' | 'application/octet-stream';
}

const MISSING = '00000000000000000000000000';
const BYTES = 'some bytes';
const HASH = `0x${createHash('sha256').update(BYTES).digest('hex')}`;
const SOMEWHERE = `0x${'11'.repeat(20)}`;

/** Ids that no record has. A spec can replace them by its own. */
export const MISSING_IDS = {
  task_id: `task_${MISSING}`,
  node_id: `node_${MISSING}_1`,
  quote_id: `quote_${MISSING}`,
  agent_id: `agent_${MISSING}`,
  action_id: `act_${MISSING}`,
  delivery_id: `dlv_${MISSING}_1_1`,
  event_id: `evt_${MISSING}`,
  endpoint_id: `whe_${MISSING}`,
  artifact_hash: HASH,
};
export type SampleIds = typeof MISSING_IDS;

/**
 * A well-formed body of each operation that takes one (docs/decisions/interface.md#operations), about these ids;
 * undefined for the others.
 */
export function sampleRequest(operationId: string, ids: SampleIds = MISSING_IDS): SampleRequest | undefined {
  if (operationId === 'uploadArtifact') return { body: BYTES, type: 'application/octet-stream' };
  const body = bodies(ids)[operationId];
  return body === undefined ? undefined : { body: JSON.stringify(body), type: 'application/json' };
}

function bodies({ task_id, node_id, quote_id, agent_id, artifact_hash }: SampleIds): Record<string, object> {
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  const money = { amount: '10.00', currency: 'USDC' };
  return {
    publishAgent: { name: 'Sample', agent_card_url: 'https://agents.example/agent-card.json' },
    updateAgent: { name: 'Sample' },
    setAgentAvailability: { available: false },
    createAgentIdentityMessage: { agent_registry: `eip155:31337:${SOMEWHERE}`, token_id: '1' },
    linkAgentIdentity: {
      agent_registry: `eip155:31337:${SOMEWHERE}`,
      token_id: '1',
      expires_at: new Date(Date.now() + 60_000).toISOString(),
      signature: `0x${'11'.repeat(65)}`,
    },
    setAgentEndpoint: { url: 'https://agents.example/a2a' },
    prepareTaskCreation: { brief: 'Sample', budget: money, selection_mode: 'manual' },
    inviteAgents: { agent_ids: [agent_id] },
    prepareTaskSelection: { mode: 'manual', agent_id },
    prepareTaskResolution: { resolution: 'accept' },
    prepareNodeResolution: { resolution: 'accept' },
    prepareRefundWithdrawal: { destination: SOMEWHERE },
    prepareEarningsWithdrawal: { destination: SOMEWHERE, task_id },
    prepareQuote: { task_id, price: money, deadline: inDays(9), terms_hash: `0x${'ab'.repeat(32)}` },
    prepareSubcontract: { quote_id, accept_window_seconds: 259_200 },
    submitDelivery: { task_id, node_id, artifact_hash, custody_receipt: 'none' },
    createWebhookEndpoint: { url: 'https://hooks.example/tasktree' },
    updateWebhookEndpoint: { enabled: true },
    replayWebhookEvents: { failed: true },
    submitActionSignature: { signature: `0x${'11'.repeat(65)}` },
  };
}
