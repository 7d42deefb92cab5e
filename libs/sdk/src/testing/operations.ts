import { sha256Hex } from '#libs/prepared-action';
import type { ActionBook } from './action-book.js';
import { type ActionRequest, KIND_OF_OPERATION } from './action-plans.js';
import type { FakeEndpoint, FakeNode, FakeTask, MarketState, Owned, Party, Schemas } from './market-state.js';
import { earningsOf } from './node-effects.js';
import { Refusal } from './refusal.js';

/** A request that the document allows. */
export interface Call extends ActionRequest {
  readonly scope: string;
  readonly query: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The example of the document's answer. */
  readonly example: unknown;
  readonly book: ActionBook;
}

type Handler = (call: Call) => unknown;

/** What a task allows its buyer in each status. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  open: ['select_agent'],
  selected: ['fund_task'],
  delivered: ['resolve_task', 'reject_task'],
  rejected: ['resolve_task'],
};
const CUSTODY_DAYS = 30;

/** What each operation does; those that prepare an action are in KIND_OF_OPERATION. Lists are given whole. */
export const OPERATIONS: Readonly<Record<string, Handler>> = {
  getMe: ({ state, party, scope, example }) => {
    const me = example as Schemas['Me'];
    return {
      account: { ...me.account, id: party.id, name: party.name },
      wallets: [{ address: party.address, signs: true, chain_id: state.deployment.chainId }],
      credential: { type: 'api_key', scopes: [scope], service_version: me.credential.service_version },
      limits: me.limits,
      agents: recordsOf(state.agents, party),
    };
  },

  listAgents: ({ state, party, query }) =>
    state.agents
      .filter(({ owner }) => query['mine'] !== 'true' || owner === party)
      .map(({ record }) => record)
      .filter(({ name, capabilities }) => [name, ...capabilities].join(' ').includes(query['query'] ?? '')),
  getAgent: ({ state, params }) => found(state.agents, params['agent_id']),
  publishAgent: ({ state, party, body }) => {
    const { name, agent_card_url, capabilities = [], wallet_address } = body as Schemas['PublishAgentBody'];
    const record: Schemas['Agent'] = {
      ...{ id: state.id('agent'), name, status: 'active', capabilities, created_at: state.instant() },
      ...{ available: true, agent_card_url, wallet_address: wallet_address ?? party.address },
    };
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
  listAgentNodes: ({ state, party, params, query }) => {
    const { id } = state.agentOf(party, params['agent_id']);
    const isOwn = ({ agentId, record }: FakeNode): boolean =>
      (query['role'] !== 'hirer' && agentId === id) || (query['role'] !== 'worker' && record.hirer_agent_id === id);
    return nodesOf(state.tasks.flatMap(({ nodes }) => [...nodes.values()]).filter(isOwn), query['state']);
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

  listTasks: ({ state, party, query: { status, role } }) =>
    state.tasks
      .filter((task) => state.isVisible(task, party))
      .filter(({ owner, nodes }) =>
        role === 'buyer'
          ? owner === party
          : role !== 'worker' || [...nodes.values()].some(({ worker }) => worker === party),
      )
      .map(({ record }) => record)
      .filter((record) => record.status === (status ?? record.status))
      .reverse(),
  getTask: ({ state, party, params }) => detailOf(state.visibleTask(params['task_id'], party), party),
  getTaskPreview: ({ state, party, params, example }) => {
    state.visibleTask(params['task_id'], party);
    return { ...(example as Schemas['TaskPreview']), expires_at: state.instant(300) };
  },
  listTaskNodes: ({ state, party, params }) =>
    nodesOf([...state.visibleTask(params['task_id'], party).nodes.values()], undefined),
  listTaskMatches: ({ state, party, params, query, example }) => {
    const { owner } = state.visibleTask(params['task_id'], party);
    const explained = query['explain'];
    if (explained !== undefined) found(state.agents, explained);
    const [match] = (example as Schemas['MatchPage']).data;
    return state.agents
      .filter(({ owner: of, record }) => of !== owner && record.status === 'active' && record.available !== false)
      .map(({ record: agent }, at) => ({ ...match, agent, rank: at + 1 }));
  },
  inviteAgents: ({ state, party, params, body }) => {
    const task = state.visibleTask(params['task_id'], party);
    if (task.owner !== party) throw new Refusal('not_task_buyer');
    if (task.record.tier !== 'private_curated') throw new Refusal('state_conflict', 'The task is public.');
    const { agent_ids } = body as Schemas['InviteAgentsBody'];
    const owners = agent_ids.map((id) => state.agents.find(({ record }) => record.id === id)?.owner);
    if (owners.includes(undefined)) throw new Refusal('not_found');
    const { id, budget, deadline = '' } = task.record;
    for (const owner of new Set(owners)) {
      if (owner === undefined || task.invited.has(owner.id)) continue;
      task.invited.add(owner.id);
      const told = { status: { to: task.record.status }, budget, deadline };
      state.tell('task.invited', { kind: 'task', id, task_id: id }, told, [owner]);
    }
    return { task_id: id, agent_ids, remaining: 200 - task.invited.size };
  },

  listQuotes: ({ state, party, query }) =>
    state.quotes
      .filter(
        ({ owner, task, record }) => owner === party || (task.owner === party && record.status !== 'pending_signature'),
      )
      .map(({ record }) => record)
      .filter(ofTask(query['task_id']))
      .reverse(),
  listDeliveries: ({ state, party, query }) =>
    state.deliveries
      .filter(({ owner, record }) => owner === party || taskOf(state, record.task_id)?.owner === party)
      .map(({ record }) => record)
      .filter(ofTask(query['task_id']))
      .reverse(),
  uploadArtifact: ({ state, params, bytes, mediaType }) => {
    const hash = (params['artifact_hash'] ?? '').toLowerCase();
    if (bytes.length === 0) throw new Refusal('invalid_body', 'The body is empty.');
    if (sha256Hex(bytes) !== hash) throw new Refusal('invalid_body', 'The bytes have another SHA-256.');
    const receipt = state.artifacts.get(hash)?.receipt ?? state.id('custody');
    state.artifacts.set(hash, { bytes, mediaType, receipt });
    return {
      artifact_hash: hash,
      custody_receipt: receipt,
      bytes: bytes.length,
      kept_until: state.inDays(CUSTODY_DAYS),
    };
  },
  getDeliveryArtifact: ({ state, party, params }) => {
    const { artifact_hash, task_id } = found(state.deliveries, params['delivery_id']);
    state.visibleTask(task_id, party);
    const { bytes = new Uint8Array(0), mediaType = '' } = state.artifacts.get(artifact_hash) ?? {};
    const url = `${state.baseUrl}/artifacts/${artifact_hash}`;
    return { url, expires_at: state.instant(300), artifact_hash, bytes: bytes.length, media_type: mediaType };
  },
  getEarnings: ({ state, party }) => earningsOf(state, party),
  listReceipts: ({ state, party, query }) =>
    state.receipts
      .filter(({ hirer, worker }) => hirer === party || worker === party)
      .map(({ hirer: _hirer, worker: _worker, ...receipt }) => receipt)
      .filter(ofTask(query['task_id']))
      .reverse(),

  listActions: ({ state, party, query, book }) =>
    state.actions
      .filter(({ owner }) => owner === party)
      .map((action) => {
        book.expire(action);
        const { payload: _payload, transaction: _transaction, match_code: _code, ...record } = action.record;
        return { ...record, created_at: action.createdAt };
      })
      .filter(({ status }) => status === (query['status'] ?? status))
      .reverse(),
  getAction: ({ state, party, params, book }) => {
    const action = actionOf(state, party, params['action_id']);
    book.expire(action);
    return action.record;
  },
  submitActionSignature: ({ state, party, params, body, book }) => {
    const action = actionOf(state, party, params['action_id']);
    const submission = body as { signature?: `0x${string}`; transaction_hash?: string };
    if (submission.signature !== undefined) book.sign(action, submission.signature);
    else if (action.record.status === 'signed') {
      if (submission.transaction_hash !== undefined) action.record.transaction_hash = submission.transaction_hash;
      book.settle(action, 'submitted');
    }
    return action.record;
  },

  listEvents: ({ state, party, query }) => {
    const events = state.eventsOf(party);
    const { after, types } = query;
    const from = after === undefined ? -1 : events.findIndex(({ id }) => id === after);
    if (after !== undefined && from < 0) throw new Refusal('invalid_cursor');
    return events
      .slice(from + 1)
      .filter(({ type }) => types === undefined || types.split(',').includes(type))
      .filter(({ subject }) => subject.task_id === (query['task_id'] ?? subject.task_id));
  },
  getEvent: ({ state, party, params }) => {
    const event = state.eventsOf(party).find(({ id }) => id === params['event_id']);
    if (event === undefined) throw new Refusal('not_found');
    return event;
  },

  listWebhookEndpoints: ({ state, party }) => recordsOf(state.endpoints, party),
  getWebhookEndpoint: (call) => endpointOf(call).record,
  createWebhookEndpoint: ({ state, party, body }) => {
    const { url, types = [] } = body as Schemas['CreateWebhookEndpointBody'];
    const at = state.instant();
    const own = { id: state.id('whe'), url, types, status: 'enabled', waiting: 0 };
    const record: Schemas['WebhookEndpoint'] = { ...own, created_at: at, updated_at: at };
    state.endpoints.push({ owner: party, record, attempts: [] });
    return { ...record, secret: secretOf(state) };
  },
  updateWebhookEndpoint: (call) => {
    const { record } = endpointOf(call);
    const { enabled, ...changed } = call.body as Schemas['UpdateWebhookEndpointBody'];
    Object.assign(record, changed, { updated_at: call.state.instant() });
    if (enabled !== undefined) record.status = enabled ? 'enabled' : 'disabled';
    return record;
  },
  deleteWebhookEndpoint: (call) => {
    const endpoint = endpointOf(call);
    call.state.endpoints.splice(call.state.endpoints.indexOf(endpoint), 1);
    return endpoint.record;
  },
  rotateWebhookSecret: (call) => {
    const { record } = endpointOf(call);
    record.previous_secret_until = call.state.inDays(1);
    return { ...record, secret: secretOf(call.state) };
  },
  testWebhookEndpoint: (call) => {
    const { record } = endpointOf(call);
    const subject = { kind: 'webhook_endpoint', id: record.id };
    return { event_id: call.state.tell('webhook_endpoint.test', subject, {}, [call.party]).id };
  },
  listWebhookAttempts: (call) => endpointOf(call).attempts,
  replayWebhookEvents: (call) => {
    endpointOf(call);
    const { event_ids, since } = call.body as Schemas['ReplayWebhookEventsBody'];
    const events = call.state
      .eventsOf(call.party)
      .filter(({ id, timestamp }) => event_ids?.includes(id) ?? timestamp >= (since ?? ''));
    return { ...(since === undefined ? {} : { since }), events: events.length };
  },
  ...Object.fromEntries(Object.keys(KIND_OF_OPERATION).map((id) => [id, preparer(id)])),
};

function preparer(operationId: string): Handler {
  return (call) => {
    const kind = KIND_OF_OPERATION[operationId];
    if (kind === undefined) throw new Refusal('unknown_route');
    const { action, delivery } = call.book.prepare(kind, call);
    return delivery === undefined ? action.prepared : { ...delivery, prepared_action: action.prepared };
  };
}

function detailOf({ owner, record, refunds }: FakeTask, party: Party): Schemas['TaskDetail'] {
  const may = owner === party ? [...(ALLOWED[record.status] ?? [])] : [];
  if (refunds.has(party.address.toLowerCase())) may.push('withdraw_refund');
  return { ...record, allowed_actions: may };
}

function nodesOf(nodes: readonly FakeNode[], state: string | undefined): Schemas['EscrowNode'][] {
  return nodes.map(({ record }) => record).filter((record) => record.state === (state ?? record.state));
}

function tellAgent(
  state: MarketState,
  owner: Party,
  { id }: Schemas['Agent'],
  what: 'published' | 'updated' | 'availability_changed',
  data: object,
): void {
  state.tell(`agent.${what}`, { kind: 'agent', id }, { ...data, updated_at: state.instant() }, [owner]);
}

function recordsOf<T>(list: readonly Owned<T>[], party: Party): T[] {
  return list.filter(({ owner }) => owner === party).map(({ record }) => record);
}

function found<T extends { id: string }>(list: readonly Owned<T>[], id: string | undefined): T {
  const one = list.find(({ record }) => record.id === id)?.record;
  if (one === undefined) throw new Refusal('not_found');
  return one;
}

function taskOf(state: MarketState, id: string): FakeTask | undefined {
  return state.tasks.find(({ record }) => record.id === id);
}

function ofTask(taskId: string | undefined): (record: { task_id: string }) => boolean {
  return ({ task_id }) => taskId === undefined || task_id === taskId;
}

function actionOf(state: MarketState, party: Party, id: string | undefined) {
  const action = state.actions.find(({ owner, record }) => owner === party && record.action_id === id);
  if (action === undefined) throw new Refusal('not_found');
  return action;
}

function endpointOf({ state, party, params }: Call): FakeEndpoint {
  const endpoint = state.endpoints.find(({ owner, record }) => owner === party && record.id === params['endpoint_id']);
  if (endpoint === undefined) throw new Refusal('not_found');
  return endpoint;
}

function secretOf(state: MarketState): string {
  return `whsec_${btoa(state.hash().slice(-24))}`;
}
