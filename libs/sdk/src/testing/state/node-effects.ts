import { formatUsdc, moneyJson, nodeIdOf, parentPath } from '#libs/notation';
import type { Argument } from '#libs/prepared-action';
import type { FakeNode, FakeQuote, FakeTask, MarketState, Party, Schemas } from './market-state.js';
import { clockOf } from './node-money.js';

/** What the states of the contract are called on the wire, from 1 on. */
const WIRE_STATES = ['', 'funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded', 'refunded'];
const BLOCK = 1;
const NOTHING_DELIVERED = { artifactHash: `0x${'0'.repeat(64)}`, payOut: false, withdrawable: 0n, paid: 0n } as const;
const FRESH = { state: 0, version: 0, revisions: 0, clock: 0, ...NOTHING_DELIVERED };

/** Moves the task on, and tells it. */
export function moveTask(state: MarketState, task: FakeTask, to: string, audience: readonly Party[]): void {
  const { record } = task;
  const from = record.status;
  record.status = to;
  const type = ({ open: 'task.opened', selected: 'task.agent_selected' }[to] ?? `task.${to}`) as 'task.opened';
  const { budget, deadline = state.instant(), selected_agent_id } = record;
  state.tell(
    type,
    { kind: 'task', id: record.id, task_id: record.id },
    { status: { from, to }, budget, deadline, ...(selected_agent_id === undefined ? {} : { selected_agent_id }) },
    audience,
  );
}

/** A node that has its money. */
export function openNode(
  state: MarketState,
  { task, path, owner: worker, record: quote }: FakeQuote,
  terms: Readonly<Record<string, Argument>>,
): FakeNode {
  const above = task.nodes.get(parentPath(path));
  const deliverBy = state.nowSeconds() + Number(terms['workSeconds']);
  const record: Schemas['EscrowNode'] = {
    id: nodeIdOf(task.record.id, path),
    task_id: task.record.id,
    parent_node_id: above?.record.id ?? null,
    hirer_agent_id: above?.agentId ?? task.owner.id,
    worker_agent_id: quote.agent_id,
    amount: quote.price,
    state: '',
    delivery_deadline: new Date(deliverBy * 1000).toISOString(),
    accept_window_seconds: Number(terms['acceptWindow']),
    backing: terms['hirerFunded'] === true ? 'hirer_funded' : 'contingent',
    floor: quote.floor,
    max_revisions: quote.max_revisions,
    revisions: 0,
  };
  const node: FakeNode = {
    task,
    path,
    worker,
    agentId: quote.agent_id,
    terms,
    record,
    deliverBy,
    ...FRESH,
  };
  task.nodes.set(path, node);
  moveNode(state, node, 1);
  if (above !== undefined) {
    const data = { amount: above.record.amount, worker_agent_id: above.agentId, child_node_id: record.id };
    state.tell('node.subcontracted', subjectOf(above), data, partiesOf(state, above));
  }
  return node;
}

/** Moves the node on, its task where it is a root node, and tells both. */
export function moveNode(state: MarketState, node: FakeNode, to: number, outcome?: string): void {
  const { record, task } = node;
  const name = WIRE_STATES[to] ?? '';
  const from = record.state;
  node.state = to;
  node.version += 1;
  node.clock = clockOf(node, state.nowSeconds());
  record.state = name;
  record.effective_state = name;
  if (outcome !== undefined) record.outcome = outcome;
  state.tell(
    `node.${name}` as 'node.funded',
    subjectOf(node),
    {
      ...(from === '' ? { status: { to: name } } : { status: { from, to: name } }),
      amount: record.amount,
      worker_agent_id: node.agentId,
      ...(record.parent_node_id === null ? {} : { parent_node_id: record.parent_node_id }),
      ...(outcome === undefined ? { deadline: record.delivery_deadline } : { outcome }),
    },
    partiesOf(state, node),
  );
  const status = name === 'released' ? 'resolved' : name;
  if (record.parent_node_id === null) moveTask(state, task, status, [task.owner, node.worker]);
  if (to >= 5) endNode(state, node, to === 5);
}

/** Whose news a node's are. */
export function partiesOf(state: MarketState, node: FakeNode): Party[] {
  return [...new Set([node.task.owner, state.hirerOf(node), node.worker])];
}

export function subjectOf({ record, task }: FakeNode): Schemas['EventSubject'] {
  return { kind: 'node', id: record.id, task_id: task.record.id };
}

function endNode(state: MarketState, node: FakeNode, isPaid: boolean): void {
  const { record, task, worker } = node;
  const amount = BigInt(node.terms['amount'] as string);
  const hirer = state.hirerOf(node);
  const transaction_hash = state.hash();
  const receipt: Schemas['Receipt'] = {
    id: state.id('rcpt'),
    task_id: task.record.id,
    node_id: record.id,
    outcome: record.state,
    amount: record.amount,
    transaction_hash,
    block_number: BLOCK,
    created_at: state.instant(),
  };
  state.receipts.push({ ...receipt, hirer, worker });
  const told = { amount: record.amount, transaction_hash, node_id: record.id };
  const about = { kind: 'receipt', id: receipt.id, task_id: task.record.id };
  state.tell('receipt.issued', about, { ...told, outcome: record.state }, [hirer, worker]);
  if (!isPaid) {
    const address = hirer.address.toLowerCase();
    task.refunds.set(address, (task.refunds.get(address) ?? 0n) + amount);
    state.tell('refund.available', subjectOf(node), told, [hirer]);
  } else if (node.payOut) {
    node.paid = amount;
    state.tell('earnings.withdrawn', subjectOf(node), { ...told, recipient: worker.address }, [worker]);
  } else {
    node.withdrawable = amount;
    state.tell('earnings.available', subjectOf(node), told, [worker]);
  }
}

/** What a worker has: in open nodes, to take out, and taken out. */
export function earningsOf(state: MarketState, party: Party): Schemas['Earnings'] {
  const own = state.tasks.flatMap(({ nodes }) => [...nodes.values()]).filter(({ worker }) => worker === party);
  const sums = (nodes: readonly FakeNode[]) => ({
    pending: formatUsdc(
      sum(nodes.filter(({ state: at }) => at < 5).map(({ terms }) => BigInt(terms['amount'] as string))),
    ),
    claimable: formatUsdc(sum(nodes.map(({ withdrawable }) => withdrawable))),
  });
  return {
    ...sums(own),
    paid: formatUsdc(sum(own.map(({ paid }) => paid))),
    currency: 'USDC',
    by_task: [...new Set(own.map(({ task }) => task))].map((task) => ({
      task_id: task.record.id,
      ...sums(own.filter((node) => node.task === task)),
    })),
  };
}

/** Takes money out of a node or of what came back, and tells it. */
export function tellWithdrawal(
  state: MarketState,
  what: 'earnings' | 'refund',
  subject: Schemas['EventSubject'],
  { amount, recipient, party }: { amount: bigint; recipient: string; party: Party },
): void {
  const data = { amount: moneyJson(amount), transaction_hash: state.hash(), recipient };
  const own = subject.kind === 'node' ? { ...data, node_id: subject.id } : data;
  state.tell(what === 'earnings' ? 'earnings.withdrawn' : 'refund.withdrawn', subject, own, [party]);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, one) => all + one, 0n);
}
