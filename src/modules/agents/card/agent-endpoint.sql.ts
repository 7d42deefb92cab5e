import { EntityLookUp } from '../../../platform/database/entities/entity-look-up.js';
import { AgentEndpointEntity } from './agent-endpoint.entity.js';

/** The endpoint of the agent $1 whose card is at $2, if that card was found to name it. */
export const AGENT_ENDPOINT = new EntityLookUp(
  AgentEndpointEntity,
  'agent-endpoint',
  (columns) =>
    `SELECT ${columns('endpoint')} FROM agent_endpoints endpoint WHERE endpoint.agent_id = $1 AND endpoint.card_url = $2`,
);
