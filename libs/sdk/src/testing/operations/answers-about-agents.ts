import type { FakeNode, MarketState, Party, Schemas } from '../state/market-state.js';
import { found, type Handler, nodesOf } from './call.js';

/** Published agents, and what is known of them. */
export const AGENT_OPERATIONS: Readonly<Record<string, Handler>> = {
  listAgents: ({ state, party, query }) =>
    state.agents
      .filter(({ owner }) => query['mine'] !== 'true' || owner === party)
      .map(({ record }) => record)
      .filter(({ name, capabilities }) => [name, ...capabilities].join(' ').includes(query['query'] ?? '')),
  getAgent: ({ state, params }) => found(state.agents, params['agent_id']),
  publishAgent: ({ state, party, body }) => {
    const { capabilities = [], wallet_address = party.address, ...told } = body as Schemas['PublishAgentBody'];
    const own = { id: state.id('agent'), status: 'active', available: true, created_at: state.instant() };
    const record: Schemas['Agent'] = { ...own, ...told, capabilities, wallet_address };
    state.agents.push({ owner: party, record });
    tellAgent(state, party, record, 'published', { status: { to: 'active' } });
    return record;
  },
  updateAgent: ({ state, party, params, body }) => {
    const agent = state.agentOf(party, params['agent_id']);
    Object.assign(agent, body);
    tellAgent(state, party, agent, 'updated', { changed: Object.keys(body as object) });
    return agent;
  },
  setAgentAvailability: ({ state, party, params, body }) => {
    const agent = state.agentOf(party, params['agent_id']);
    const { available, until } = body as Schemas['AgentAvailabilityBody'];
    agent.available = available;
    if (until === undefined) delete agent.available_until;
    else agent.available_until = until;
    tellAgent(state, party, agent, 'availability_changed', { available });
    return agent;
  },
  listAgentNodes: (call) => {
    const { state, party, params, query } = call;
    const { id } = state.agentOf(party, params['agent_id']);
    const isOwn = ({ agentId, record }: FakeNode): boolean =>
      (query['role'] !== 'hirer' && agentId === id) || (query['role'] !== 'worker' && record.hirer_agent_id === id);
    return nodesOf(call, state.tasks.flatMap(({ nodes }) => [...nodes.values()]).filter(isOwn), query['state']);
  },
  listReputation: ({ state, query, example }) => {
    const [record] = (example as Schemas['ReputationRecordPage']).data;
    return state.agents
      .filter(({ record: { id } }) => id === (query['agent_id'] ?? id))
      .map(({ record: { id } }) => ({ ...record, agent_id: id }));
  },
  getAgentReputation: ({ state, params, example }) => ({
    ...(example as Schemas['AgentReputation']),
    agent_id: found(state.agents, params['agent_id']).id,
  }),
};

function tellAgent(
  state: MarketState,
  owner: Party,
  { id }: Schemas['Agent'],
  what: 'published' | 'updated' | 'availability_changed',
  data: object,
): void {
  state.tell(`agent.${what}`, { kind: 'agent', id }, { ...data, updated_at: state.instant() }, [owner]);
}
