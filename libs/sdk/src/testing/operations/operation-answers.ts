import { sha256Hex } from '#libs/prepared-action';
import { KIND_OF_OPERATION } from '../actions/action-plans.js';
import type { FakeAction, FakeTask, MarketState, Party, Schemas } from '../state/market-state.js';
import { earningsOf } from '../state/node-effects.js';
import { Refusal } from '../document/refusal.js';
import { AGENT_OPERATIONS } from './answers-about-agents.js';
import { CARD_OPERATIONS } from './answers-about-cards.js';
import { found, type Handler, nodesOf, recordsOf, taskActions } from './call.js';
import { NEWS_OPERATIONS } from './answers-about-news.js';

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

  ...AGENT_OPERATIONS,
  ...CARD_OPERATIONS,

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
  getTask: (call): Schemas['TaskDetail'] => {
    const task = call.state.visibleTask(call.params['task_id'], call.party);
    return { ...task.record, allowed_actions: taskActions(call, task) };
  },
  getTaskPreview: ({ state, party, params, example }) => {
    state.visibleTask(params['task_id'], party);
    return { ...(example as Schemas['TaskPreview']), expires_at: state.instant(300) };
  },
  listTaskNodes: (call) => {
    const task = call.state.visibleTask(call.params['task_id'], call.party);
    return nodesOf(call, [...task.nodes.values()], undefined);
  },
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

  listActions: ({ state, party, scope, query, book }) =>
    state.actions
      .filter(({ owner }) => owner === party)
      .map((action) => {
        book.expire(action);
        const { payload: _payload, transaction: _call, match_code: _code, ...record } = shownTo(scope, action);
        return { ...record, created_at: action.createdAt };
      })
      .filter(({ status }) => status === (query['status'] ?? status))
      .reverse(),
  getAction: ({ state, party, scope, params, book }) => {
    const action = actionOf(state, party, params['action_id']);
    book.expire(action);
    return shownTo(scope, action);
  },
  submitActionSignature: ({ state, party, scope, params, body, book }) => {
    const action = actionOf(state, party, params['action_id']);
    if (scope !== action.scope) throw new Refusal('insufficient_scope');
    const submission = body as { signature?: `0x${string}`; transaction_hash?: string };
    if (submission.signature !== undefined) book.sign(action, submission.signature);
    else if (action.record.status === 'signed') {
      if (submission.transaction_hash !== undefined) action.record.transaction_hash = submission.transaction_hash;
      book.settle(action, 'submitted');
    }
    return action.record;
  },
  declineAction: ({ state, party, scope, params, book }) => {
    const action = actionOf(state, party, params['action_id']);
    if (scope !== action.scope) throw new Refusal('insufficient_scope');
    book.decline(action);
    return action.record;
  },

  ...NEWS_OPERATIONS,
  ...Object.fromEntries(Object.keys(KIND_OF_OPERATION).map((id) => [id, preparer(id)])),
};

function preparer(operationId: string): Handler {
  return (call) => {
    const kind = KIND_OF_OPERATION[operationId];
    if (kind === undefined) throw new Refusal('unknown_route');
    const { action, delivery } = call.book.prepare(kind, call, call.scope);
    return delivery === undefined ? action.prepared : { ...delivery, prepared_action: action.prepared };
  };
}

function taskOf(state: MarketState, id: string): FakeTask | undefined {
  return state.tasks.find(({ record }) => record.id === id);
}

function ofTask(taskId: string | undefined): (record: { task_id: string }) => boolean {
  return ({ task_id }) => taskId === undefined || task_id === taskId;
}

/** What may be acted with is for a credential of the scope that has prepared it. */
function shownTo(scope: string, { record, scope: own }: FakeAction): Schemas['Action'] {
  if (scope === own) return record;
  const { signing_url: _url, match_code: _code, transaction: _call, ...told } = record;
  return told;
}

function actionOf(state: MarketState, party: Party, id: string | undefined) {
  const action = state.actions.find(({ owner, record }) => owner === party && record.action_id === id);
  if (action === undefined) throw new Refusal('not_found');
  return action;
}
