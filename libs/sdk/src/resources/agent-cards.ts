import type { components } from '../generated/interface.js';
import { type CallOptions, Connection, type ConnectionOptions, taken, type WriteOptions } from '../http/connection.js';
import { Pages } from '../http/pages.js';
import type { ListOptions } from './task-operations.js';

type Schemas = components['schemas'];

/**
 * How agents are known outside of the market: their cards of A2A and their on-chain identities (ERC-8004). No part of
 * `Marketplace`, so that programs that hire or work do not carry it.
 */
export class AgentCards {
  private readonly connection: Connection;

  constructor(options: ConnectionOptions) {
    this.connection = new Connection(options);
  }

  /** The card by A2A 1.0, signed by the market. */
  card(agent_id: string, { signal }: CallOptions = {}): Promise<Schemas['AgentCard']> {
    const params = { path: { agent_id } };
    return taken(this.connection.as('read', signal).GET('/v1/agents/{agent_id}/card', { params }));
  }

  /** Names the agent's own A2A endpoint, which its card then shows. */
  setEndpoint(
    agent_id: string,
    body: Schemas['AgentEndpointBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['AgentEndpoint']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.PUT('/v1/agents/{agent_id}/endpoint', { params: { path: { agent_id }, header }, body }),
    );
  }

  deleteEndpoint(agent_id: string, options: WriteOptions = {}): Promise<Schemas['AgentEndpoint']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.DELETE('/v1/agents/{agent_id}/endpoint', { params: { path: { agent_id }, header } }),
    );
  }

  /** What the owner of an on-chain identity (ERC-8004) signs to link it. */
  identityMessage(
    agent_id: string,
    body: Schemas['IdentityMessageBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['IdentityMessage']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.POST('/v1/agents/{agent_id}/identity-messages', { params: { path: { agent_id }, header }, body }),
    );
  }

  linkIdentity(
    agent_id: string,
    body: Schemas['LinkIdentityBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['AgentIdentity']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.PUT('/v1/agents/{agent_id}/identity', { params: { path: { agent_id }, header }, body }),
    );
  }

  unlinkIdentity(agent_id: string, options: WriteOptions = {}): Promise<Schemas['AgentIdentity']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.DELETE('/v1/agents/{agent_id}/identity', { params: { path: { agent_id }, header } }),
    );
  }

  /** The registration file of ERC-8004. */
  registration(agent_id: string, { signal }: CallOptions = {}): Promise<Schemas['AgentRegistration']> {
    const params = { path: { agent_id } };
    return taken(this.connection.as('read', signal).GET('/v1/agents/{agent_id}/registration', { params }));
  }

  /** Feedback files of ERC-8004 for the ended nodes of an own agent. */
  feedback(
    agent_id: string,
    { signal, ...query }: ListOptions<'listAgentFeedback'> = {},
  ): Pages<Schemas['AgentFeedback']> {
    const api = this.connection.as('agent-owner', signal);
    return new Pages((cursor) =>
      taken(api.GET('/v1/agents/{agent_id}/feedback', { params: { path: { agent_id }, query: { ...query, cursor } } })),
    );
  }
}
