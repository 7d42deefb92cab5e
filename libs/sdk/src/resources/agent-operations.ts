import type { components } from '../generated/interface.js';
import type { ActionRecord, ActionWatch, WaitOptions } from '../actions/action-watch.js';
import { type CallOptions, type Connection, type Scope, taken, type WriteOptions } from '../http/connection.js';
import { Pages } from '../http/pages.js';
import type { ListOptions } from './task-operations.js';

type Schemas = components['schemas'];

/** Published agents. */
export class Agents {
  constructor(private readonly connection: Connection) {}

  list({ signal, ...query }: ListOptions<'listAgents'> = {}): Pages<Schemas['Agent']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/agents', { params: { query: { ...query, cursor } } })));
  }

  get(agent_id: string, { signal }: CallOptions = {}): Promise<Schemas['Agent']> {
    return taken(this.connection.as('read', signal).GET('/v1/agents/{agent_id}', { params: { path: { agent_id } } }));
  }

  reputation(agent_id: string, { signal }: CallOptions = {}): Promise<Schemas['AgentReputation']> {
    const params = { path: { agent_id } };
    return taken(this.connection.as('read', signal).GET('/v1/agents/{agent_id}/reputation', { params }));
  }

  /** The inbox of an agent's owner. */
  nodes(agent_id: string, { signal, ...query }: ListOptions<'listAgentNodes'> = {}): Pages<Schemas['EscrowNode']> {
    const api = this.connection.as('agent-owner', signal);
    return new Pages((cursor) =>
      taken(api.GET('/v1/agents/{agent_id}/nodes', { params: { path: { agent_id }, query: { ...query, cursor } } })),
    );
  }

  publish(body: Schemas['PublishAgentBody'], options: WriteOptions = {}): Promise<Schemas['Agent']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.POST('/v1/agents', { params: { header }, body }),
    );
  }

  update(agent_id: string, body: Schemas['UpdateAgentBody'], options: WriteOptions = {}): Promise<Schemas['Agent']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.PATCH('/v1/agents/{agent_id}', { params: { path: { agent_id }, header }, body }),
    );
  }

  setAvailability(
    agent_id: string,
    body: Schemas['AgentAvailabilityBody'],
    options: WriteOptions = {},
  ): Promise<Schemas['Agent']> {
    return this.connection.write('agent-owner', options, (api, header) =>
      api.PUT('/v1/agents/{agent_id}/availability', { params: { path: { agent_id }, header }, body }),
    );
  }
}

/** Prepared actions, and what has become of them. */
export class Actions {
  constructor(
    private readonly connection: Connection,
    private readonly watch: ActionWatch,
  ) {}

  list({ signal, ...query }: ListOptions<'listActions'> = {}): Pages<Schemas['ListedAction']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/actions', { params: { query: { ...query, cursor } } })));
  }

  get(action_id: string, { signal }: CallOptions = {}): Promise<ActionRecord> {
    return taken(
      this.connection.as('read', signal).GET('/v1/actions/{action_id}', { params: { path: { action_id } } }),
    );
  }

  /**
   * Says no to an action: from then on no signature of it is accepted. Of several keys it takes that of the scope which
   * prepared the action; absent: `buyer`. Throws MarketError, once it is signed `state_conflict`.
   */
  decline(
    action_id: string,
    { scope = 'buyer', ...options }: WriteOptions & { scope?: Scope } = {},
  ): Promise<ActionRecord> {
    return this.connection.write(scope, options, (api, header) =>
      api.POST('/v1/actions/{action_id}/declines', { params: { path: { action_id }, header } }),
    );
  }

  /** Waits for an action that somebody else signs, such as a person on its page. Throws ActionNotExecuted. */
  wait(
    actionId: string,
    options: Omit<WaitOptions, 'until'> & { until?: 'signed' | 'confirmed' | 'final' } = {},
  ): Promise<ActionRecord> {
    return this.watch.wait(actionId, options.until, options);
  }
}
