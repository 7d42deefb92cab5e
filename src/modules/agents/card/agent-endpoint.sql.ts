import { EntityLookUp } from '../../../platform/database/entities/entity-look-up.js';
import { AgentEndpointEntity } from './agent-endpoint.entity.js';

/** The endpoint of the agent $1 whose card is at $2, if that card was found to name it and has not failed to for days. */
export const AGENT_ENDPOINT = new EntityLookUp(
  AgentEndpointEntity,
  'agent-endpoint',
  (columns) =>
    `SELECT ${columns('endpoint')} FROM agent_endpoints endpoint WHERE endpoint.agent_id = $1 AND endpoint.card_url = $2
      AND endpoint.left_out_at IS NULL`,
);

/** The endpoint that the owner of the agent $1 has named, be it shown or not. */
export const NAMED_ENDPOINT = new EntityLookUp(
  AgentEndpointEntity,
  'agent-endpoint-named',
  (columns) => `SELECT ${columns('endpoint')} FROM agent_endpoints endpoint WHERE endpoint.agent_id = $1`,
);
