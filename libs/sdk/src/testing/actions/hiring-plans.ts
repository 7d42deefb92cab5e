import { childPath, moneyJson, parentPath, parseUsdc } from '#libs/notation';
import { type Argument, escrowAddressOf, ZERO_ADDRESS } from '#libs/prepared-action';
import { Refusal } from '../document/refusal.js';
import type { FakeQuote, FakeTask, MarketState, Party, Schemas } from '../state/market-state.js';
import { moveTask, openNode } from '../state/node-effects.js';
import {
  type ActionRequest,
  expectedOf,
  membersOf,
  modeOf,
  nodeAsked,
  onNode,
  ownTask,
  type Planned,
  tokenOf,
} from './action-request.js';

const DAY = 86_400;

export function createTask(request: ActionRequest): Planned {
  const { state, party, body } = request;
  const { brief, title, criteria = [], ...asked } = body as Schemas['CreateTaskBody'];
  const { validUntil = state.nowSeconds() + 14 * DAY, ...own } = expectedOf('create_task', request);
  const id = state.id('task');
  const parties = { buyer: party.address, arbiter: own['arbiter'] as string };
  const record: Schemas['Task'] = {
    id,
    brief,
    budget: moneyJson(BigInt(own['budget'] as string)),
    selection_mode: asked.selection_mode,
    status: 'draft',
    created_at: state.instant(),
    ...(title === undefined ? {} : { title }),
    criteria,
    accept_window_seconds: asked.accept_window_seconds ?? 3 * DAY,
    delivery_window_seconds: asked.delivery_window_seconds ?? 7 * DAY,
    tier: asked.tier ?? 'public',
    terms_hash: own['termsHash'] as string,
    escrow_address: escrowAddressOf(state.deployment, parties, id),
    deadline: new Date(Number(validUntil) * 1000).toISOString(),
    ...(parties.arbiter === ZERO_ADDRESS ? {} : { arbiter: parties.arbiter }),
  };
  const kept = { invited: new Set<string>(), nodes: new Map(), refunds: new Map(), usedNonces: new Set<string>() };
  const task: FakeTask = { owner: party, record, parties, ...kept };
  state.tasks.push(task);
  const subject = { kind: 'task', id, task_id: id };
  const told = { budget: record.budget, deadline: record.deadline ?? '' };
  state.tell('task.created', subject, { status: { to: 'draft' }, ...told }, [party]);
  return {
    task,
    own: { ...own, buyer: party.address, token: tokenOf(request) },
    version: 0,
    validUntil: Number(validUntil),
    effect: () => {
      moveTask(state, task, 'open', [party]);
      if (record.tier !== 'public') return;
      for (const owner of new Set(state.agents.filter(isFree).map((agent) => agent.owner))) {
        if (owner === party) continue;
        const agents = state.agents.filter((agent) => agent.owner === owner && isFree(agent));
        const matched = agents.map(({ record: { id: agent_id } }, at) => ({ agent_id, rank: at + 1, score: 0.5 }));
        state.tell('task.matched', subject, { ...told, agents: matched }, [owner]);
      }
    },
  };
}

export function submitQuote(request: ActionRequest): Planned {
  const { state, party, body } = request;
  const asked = body as Schemas['QuoteBody'];
  const task = state.visibleTask(asked.task_id, party);
  const agent = state.agentOf(party, asked.agent_id);
  const parent = asked.parent_node_id === undefined ? undefined : state.node(task, asked.parent_node_id);
  if (parent === undefined ? task.record.status !== 'open' : parent.state !== 1) throw new Refusal('state_conflict');
  if (asked.terms_hash.toLowerCase() !== task.record.terms_hash) throw new Refusal('terms_mismatch');
  const above = parent?.path ?? 0n;
  const siblings = [...task.nodes.keys()].filter((one) => parentPath(one) === above).length;
  const path = childPath(above, siblings + 1);
  const { terms: expected, validUntil = state.nowSeconds() + 3 * DAY } = expectedOf('submit_quote', request);
  const byDeadline =
    asked.deadline === undefined
      ? task.record.delivery_window_seconds
      : Math.floor(Date.parse(asked.deadline) / 1000) - state.nowSeconds();
  const terms: Readonly<Record<string, Argument>> = {
    workSeconds: String(byDeadline),
    acceptWindow: String(task.record.accept_window_seconds),
    ...(expected as Record<string, Argument>),
    nodeId: String(path),
    worker: party.address,
  };
  const money = (name: string) => moneyJson(BigInt(terms[name] as string));
  const record: Schemas['Quote'] = {
    id: state.id('quote'),
    task_id: task.record.id,
    agent_id: agent.id,
    price: money('amount'),
    floor: money('floor'),
    work_seconds: Number(terms['workSeconds']),
    max_revisions: Number(terms['maxRevisions']),
    deadline: state.instant(Number(terms['workSeconds'])),
    status: 'pending_signature',
    valid_until: new Date(Number(validUntil) * 1000).toISOString(),
    ...(parent === undefined ? {} : { parent_node_id: parent.record.id }),
    terms_hash: asked.terms_hash,
  };
  const quote: FakeQuote = { owner: party, task, path, terms, record };
  state.quotes.push(quote);
  const hirer = parent?.worker ?? task.owner;
  const { arbiter } = task.parties;
  return {
    task,
    own: { terms, hirer: hirer.address, arbiter, token: tokenOf(request) },
    version: 0,
    validUntil: Number(validUntil),
    effect: () => moveQuote(state, quote, 'submitted', [hirer, party]),
  };
}

export function selectAgent(request: ActionRequest): Planned {
  const { state } = request;
  const task = ownTask(request);
  if (task.record.status !== 'open') throw new Refusal('state_conflict');
  const asked = membersOf(request);
  const standing = state.quotes
    .filter((quote) => quote.task === task && parentPath(quote.path) === 0n && quote.record.status === 'submitted')
    .filter(({ record }) => asked['mode'] === 'auto' || record.agent_id === asked['agent_id']);
  const cheapest = standing.reduce<FakeQuote | undefined>(
    (best, one) => (best === undefined || priceOf(one) < priceOf(best) ? one : best),
    undefined,
  );
  if (cheapest === undefined) throw new Refusal('not_found', 'There is no such offer.');
  return {
    task,
    own: { terms: cheapest.terms, token: tokenOf(request) },
    version: 0,
    validUntil: Math.floor(Date.parse(cheapest.record.valid_until ?? '') / 1000),
    effect: () => {
      task.selected = cheapest;
      task.record.selected_agent_id = cheapest.record.agent_id;
      moveTask(state, task, 'selected', [task.owner, cheapest.owner]);
    },
  };
}

export function fundTask(request: ActionRequest): Planned {
  const task = ownTask(request);
  const quote = task.selected;
  if (quote === undefined || task.record.status !== 'selected') throw new Refusal('state_conflict');
  const fundingMode = modeOf(request);
  return {
    task,
    own: { terms: quote.terms, token: tokenOf(request), fundingMode },
    version: 0,
    effect: () => takeUp(request.state, quote, quote.terms),
  };
}

export function subcontract(request: ActionRequest): Planned {
  const { state, body } = request;
  const { quote_id, accept_window_seconds } = body as Schemas['SubcontractBody'];
  const quote = state.quotes.find(({ record }) => record.id === quote_id);
  const parent = nodeAsked(request);
  if (quote === undefined || quote.record.parent_node_id !== parent.record.id) throw new Refusal('not_found');
  if (quote.record.status !== 'submitted') throw new Refusal('state_conflict');
  return onNode(request, 'subcontract', 'worker', () => {
    const terms = { ...quote.terms, acceptWindow: String(accept_window_seconds) };
    const fundingMode = quote.terms['hirerFunded'] === true ? modeOf(request) : '4';
    return {
      own: { terms, token: tokenOf(request), fundingMode },
      version: 0,
      effect: () => takeUp(state, quote, terms),
    };
  });
}

function takeUp(state: MarketState, quote: FakeQuote, terms: Readonly<Record<string, Argument>>): void {
  openNode(state, quote, terms);
  for (const other of state.quotes) {
    if (other.task !== quote.task || other.path !== quote.path || other.record.status !== 'submitted') continue;
    moveQuote(state, other, other === quote ? 'accepted' : 'declined', [quote.task.owner, other.owner]);
  }
}

function moveQuote(state: MarketState, { record, task }: FakeQuote, to: string, audience: readonly Party[]): void {
  const from = record.status;
  record.status = to;
  const { agent_id, price, valid_until = '', parent_node_id } = record;
  state.tell(
    `quote.${to}` as 'quote.submitted',
    { kind: 'quote', id: record.id, task_id: task.record.id },
    { status: { from, to }, agent_id, price, valid_until, ...(parent_node_id ? { parent_node_id } : {}) },
    audience,
  );
}

function priceOf({ record }: FakeQuote): bigint {
  return parseUsdc(record.price.amount);
}

function isFree({ record }: { record: Schemas['Agent'] }): boolean {
  return record.status === 'active' && record.available !== false;
}
