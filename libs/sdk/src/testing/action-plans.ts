import { childPath, moneyJson, parentPath, parseUsdc } from '#libs/notation';
import {
  type ActionKind,
  type Argument,
  checksumOf,
  escrowAddressOf,
  expectedByRequest,
  NODE_STATES,
  ruleOf,
  ZERO_ADDRESS,
} from '#libs/prepared-action';
import { FUNDING_MODES } from './action-writing.js';
import type { FakeNode, FakeQuote, FakeTask, MarketState, Party, Schemas } from './market-state.js';
import { moveNode, moveTask, openNode, partiesOf, subjectOf, tellWithdrawal } from './node-effects.js';
import { Refusal } from './refusal.js';

/** A request to prepare an action, as the document allows it. */
export interface ActionRequest {
  readonly state: MarketState;
  readonly party: Party;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a request makes: the message, and what becomes of it once it holds. */
export interface Planned {
  readonly task: FakeTask;
  readonly own: Readonly<Record<string, Argument>>;
  readonly version: number;
  readonly validUntil?: number;
  readonly effect: () => void;
  /** Of a delivery: what was recorded of it. */
  readonly delivery?: Schemas['Delivery'];
}

type Members = Readonly<Record<string, string | number | boolean | undefined>>;

const DAY = 86_400;

/** How each kind is prepared, and what it does. */
export const PLANS: Readonly<Record<ActionKind, (request: ActionRequest) => Planned>> = {
  create_task: createTask,
  submit_quote: submitQuote,
  select_agent: selectAgent,
  fund_task: fundTask,
  subcontract,
  deliver,
  resolve_task: (request) =>
    onNode(request, 'resolve_task', 'hirer', (node) => ({
      own: { worker: node.worker.address, token: tokenOf(request), ...amountOf(node), artifactHash: node.artifactHash },
      effect: () => {
        moveNode(request.state, node, 5, 'accepted');
        tellDelivery(request.state, node, 'released');
      },
    })),
  reject_task: (request) =>
    onNode(request, 'reject_task', 'hirer', (node) => ({
      own: { artifactHash: node.artifactHash, ...expectedOf('reject_task', request) },
      effect: () => {
        moveNode(request.state, node, 3);
        tellDelivery(request.state, node, 'rejected', membersOf(request)['reason']);
      },
    })),
  abandon_node: (request) =>
    onNode(request, 'abandon_node', 'worker', (node) => ({
      own: { token: tokenOf(request), ...amountOf(node) },
      effect: () => moveNode(request.state, node, 7, 'abandoned'),
    })),
  claim_non_delivery: (request) =>
    onNode(request, 'claim_non_delivery', 'hirer', (node) => {
      if (request.state.nowSeconds() <= node.deliverBy) throw new Refusal('window_not_open');
      return {
        own: { token: tokenOf(request), ...amountOf(node) },
        effect: () => moveNode(request.state, node, 6, 'non_delivery'),
      };
    }),
  dispute_node: (request) =>
    onNode(request, 'dispute_node', 'worker', (node) => ({
      own: expectedOf('dispute_node', request),
      effect: () => moveNode(request.state, node, 4),
    })),
  withdraw_earnings: withdrawEarnings,
  withdraw_refund: withdrawRefund,
};

/** What each operation that prepares an action prepares. */
export const KIND_OF_OPERATION: Readonly<Record<string, ActionKind>> = {
  prepareTaskCreation: 'create_task',
  prepareQuote: 'submit_quote',
  prepareTaskSelection: 'select_agent',
  prepareTaskFunding: 'fund_task',
  prepareSubcontract: 'subcontract',
  submitDelivery: 'deliver',
  prepareTaskResolution: 'resolve_task',
  prepareNodeResolution: 'resolve_task',
  prepareTaskRejection: 'reject_task',
  prepareNodeRejection: 'reject_task',
  prepareNodeAbandonment: 'abandon_node',
  prepareNodeNonDeliveryClaim: 'claim_non_delivery',
  prepareNodeDispute: 'dispute_node',
  prepareEarningsWithdrawal: 'withdraw_earnings',
  prepareRefundWithdrawal: 'withdraw_refund',
};

function createTask(request: ActionRequest): Planned {
  const { state, party, body } = request;
  const { brief, title, criteria = [], ...asked } = body as Schemas['CreateTaskBody'];
  const { validUntil = state.nowSeconds() + 14 * DAY, ...own } = expectedOf('create_task', request);
  const id = state.id('task');
  const parties = { buyer: party.address, arbiter: String(own['arbiter']) };
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
    terms_hash: String(own['termsHash']),
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

function submitQuote(request: ActionRequest): Planned {
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

function selectAgent(request: ActionRequest): Planned {
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

function fundTask(request: ActionRequest): Planned {
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

function subcontract(request: ActionRequest): Planned {
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

function deliver(request: ActionRequest): Planned {
  const { state, body } = request;
  const { artifact_hash, custody_receipt } = body as Schemas['DeliverySubmissionBody'];
  const kept = state.artifacts.get(artifact_hash.toLowerCase());
  if (kept === undefined || kept.receipt !== custody_receipt) {
    const reason = 'custody_receipt is none of this artifact.';
    throw new Refusal('invalid_body', reason, [{ path: 'custody_receipt', reason }]);
  }
  return onNode(request, 'deliver', 'worker', (node) => {
    if (state.nowSeconds() > node.deliverBy) throw new Refusal('window_closed');
    const earlier = state.deliveries.filter(({ record }) => record.node_id === node.record.id);
    const record: Schemas['Delivery'] = {
      id: state.id('dlv'),
      task_id: node.task.record.id,
      artifact_hash: artifact_hash.toLowerCase(),
      status: 'submitted',
      created_at: state.instant(),
      node_id: node.record.id,
      revision: earlier.length + 1,
    };
    return {
      own: expectedOf('deliver', request),
      delivery: record,
      effect: () => {
        state.deliveries.push({ owner: node.worker, record });
        record.status = 'available';
        if (node.state === 3) node.revisions += 1;
        node.record.revisions = node.revisions;
        node.artifactHash = record.artifact_hash as FakeNode['artifactHash'];
        node.record.artifact_hash = record.artifact_hash;
        node.payOut = membersOf(request)['pay_out'] !== false;
        node.record.pay_out = node.payOut;
        moveNode(state, node, 2);
        tellDelivery(state, node, 'submitted');
      },
    };
  });
}

function withdrawEarnings(request: ActionRequest): Planned {
  const { state, party } = request;
  const { task_id, node_id } = membersOf(request);
  const [node] = state.tasks
    .filter(({ record }) => task_id === undefined || record.id === task_id)
    .flatMap(({ nodes }) => [...nodes.values()])
    .filter(({ worker, record }) => worker === party && (node_id === undefined || record.id === node_id))
    .filter(({ withdrawable }) => withdrawable > 0n)
    .sort((a, b) => Number(b.withdrawable - a.withdrawable));
  if (node === undefined) throw new Refusal('state_conflict', 'There is nothing to withdraw.');
  const amount = node.withdrawable;
  const recipient = recipientOf(request);
  return {
    task: node.task,
    own: { nodeId: String(node.path), recipient, token: tokenOf(request), amount: String(amount) },
    version: node.version,
    effect: () => {
      node.withdrawable -= amount;
      node.paid += amount;
      tellWithdrawal(state, 'earnings', subjectOf(node), { amount, recipient, party });
    },
  };
}

function withdrawRefund(request: ActionRequest): Planned {
  const { state, party, params } = request;
  const task = state.visibleTask(params['task_id'], party);
  const address = party.address.toLowerCase();
  const amount = task.refunds.get(address) ?? 0n;
  if (amount === 0n) throw new Refusal('state_conflict', 'There is nothing to withdraw.');
  const recipient = recipientOf(request);
  const subject = { kind: 'task', id: task.record.id, task_id: task.record.id };
  return {
    task,
    own: { account: party.address, recipient, token: tokenOf(request), amount: String(amount) },
    version: 0,
    effect: () => {
      task.refunds.delete(address);
      tellWithdrawal(state, 'refund', subject, { amount, recipient, party });
    },
  };
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

function tellDelivery(state: MarketState, node: FakeNode, to: string, reason?: unknown): void {
  const newest = state.deliveries.filter(({ record }) => record.node_id === node.record.id).at(-1)?.record;
  if (newest === undefined) return;
  if (to !== 'submitted') newest.status = to;
  if (typeof reason === 'string') newest.rejection_reason = reason;
  const { id, artifact_hash, revision = 1 } = newest;
  state.tell(
    `delivery.${to}` as 'delivery.submitted',
    { kind: 'delivery', id, task_id: node.task.record.id },
    { status: { to }, node_id: node.record.id, revision, artifact_hash },
    partiesOf(state, node),
  );
}

/** An action on a node that exists, by one of its two sides. */
function onNode(
  request: ActionRequest,
  kind: ActionKind,
  side: 'worker' | 'hirer',
  plan: (node: FakeNode) => Pick<Planned, 'own' | 'effect' | 'delivery'> & { version?: number },
): Planned {
  const node = nodeAsked(request);
  const { state, party } = request;
  const isRoot = node.record.parent_node_id === null;
  if (side === 'worker' && node.worker !== party) throw new Refusal('not_node_worker');
  if (side === 'hirer' && state.hirerOf(node) !== party)
    throw new Refusal(isRoot ? 'not_task_buyer' : 'not_node_hirer');
  const wanted: readonly string[] = ruleOf(kind)?.states ?? [];
  if (!wanted.includes(NODE_STATES[node.state] ?? '')) throw new Refusal('state_conflict');
  const { own, ...planned } = plan(node);
  return {
    task: node.task,
    version: node.version,
    ...planned,
    own: own['terms'] === undefined ? { nodeId: String(node.path), ...own } : own,
  };
}

/** The node of the path or the body; without one, the newest that the caller can be meant by. */
function nodeAsked(request: ActionRequest): FakeNode {
  const { state, party, params } = request;
  const { task_id, node_id } = membersOf(request);
  const task = state.visibleTask(params['task_id'] ?? String(task_id), party);
  const nodeId = params['node_id'] ?? node_id;
  if (nodeId !== undefined) return state.node(task, String(nodeId));
  const nodes = [...task.nodes.values()];
  const meant =
    params['task_id'] === undefined
      ? nodes.filter(({ worker }) => worker === party)
      : nodes.filter(({ path }) => parentPath(path) === 0n);
  const newest = meant.at(-1);
  if (newest === undefined) throw new Refusal('node_not_funded');
  return newest;
}

function ownTask({ state, party, params }: ActionRequest): FakeTask {
  const task = state.visibleTask(params['task_id'], party);
  if (task.owner !== party) throw new Refusal('not_task_buyer');
  return task;
}

/** What follows from the body, in the form of a message. */
function expectedOf(kind: ActionKind, { party, body }: ActionRequest): Record<string, Argument> {
  return inMessage(expectedByRequest({ kind, principal: party.id, body })) as Record<string, Argument>;
}

function inMessage(value: unknown): Argument {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value as Argument;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inMessage(member)]));
}

function recipientOf(request: ActionRequest): string {
  return checksumOf(String(membersOf(request)['destination']));
}

function modeOf(request: ActionRequest): string {
  const { funding_mode = 'authorization' } = membersOf(request);
  return String(FUNDING_MODES.indexOf(String(funding_mode)));
}

function amountOf(node: FakeNode): { amount: Argument } {
  return { amount: node.terms['amount'] ?? '0' };
}

function tokenOf({ state }: ActionRequest): string {
  return state.deployment.usdc;
}

function priceOf({ record }: FakeQuote): bigint {
  return parseUsdc(record.price.amount);
}

function isFree({ record }: { record: Schemas['Agent'] }): boolean {
  return record.status === 'active' && record.available !== false;
}

function membersOf({ body }: ActionRequest): Members {
  return (body ?? {}) as Members;
}
