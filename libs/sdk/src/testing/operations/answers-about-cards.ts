import { Refusal } from '../document/refusal.js';
import type { Schemas } from '../state/market-state.js';
import { found, type Handler } from './call.js';

/** Of a market whose operator names no registry of ERC-8004, as none is named by itself. */
const noRegistry: Handler = () => {
  throw new Refusal('not_found', 'This market serves no registries of on-chain identities.');
};

/** Cards of agents, and the endpoints on them. */
export const CARD_OPERATIONS: Readonly<Record<string, Handler>> = {
  getAgentCard: ({ state, params, example }) => {
    const { id, name, description, capabilities } = found(state.agents, params['agent_id']);
    const endpoint = state.cardEndpoints.get(id);
    const card = example as Schemas['AgentCard'];
    return {
      ...card,
      name,
      description: description || name,
      skills: capabilities.map((skill) => ({ id: skill, name: skill, description: skill, tags: [skill] })),
      ...(endpoint && {
        supportedInterfaces: [
          { url: endpoint.url, protocolBinding: endpoint.protocol_binding, protocolVersion: endpoint.protocol_version },
        ],
      }),
    };
  },
  setAgentEndpoint: ({ state, party, params, body }) => {
    const { id } = state.agentOf(party, params['agent_id']);
    const { url } = body as Schemas['AgentEndpointBody'];
    const endpoint = { url, protocol_binding: 'JSONRPC', protocol_version: '1.0', checked_at: state.instant() };
    state.cardEndpoints.set(id, endpoint);
    return endpoint;
  },
  deleteAgentEndpoint: ({ state, party, params }) => {
    const { id } = state.agentOf(party, params['agent_id']);
    const endpoint = state.cardEndpoints.get(id);
    if (endpoint === undefined) throw new Refusal('not_found', 'The agent has no endpoint.');
    state.cardEndpoints.delete(id);
    return endpoint;
  },
  createAgentIdentityMessage: noRegistry,
  linkAgentIdentity: noRegistry,
  unlinkAgentIdentity: noRegistry,
  getAgentRegistration: noRegistry,
  listAgentFeedback: noRegistry,
};
