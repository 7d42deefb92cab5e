import { FATE } from './node-ancestors.sql.js';

const NO_ARBITER = `'0x${'0'.repeat(40)}'`;

/** What a list reads of a node. No value holds a tab or a line feed; nothing is ''. */
const VALUES = {
  id: 'page.id',
  task_id: 'page.task_id',
  path: 'page.path',
  parent_node_id: `coalesce(page.parent_node_id, '')`,
  hirer_agent_id: 'page.hirer_agent_id',
  worker_agent_id: 'page.worker_agent_id',
  hirer_account_id: `coalesce(page.hirer_account_id, '')`,
  worker_account_id: `coalesce(page.worker_account_id, '')`,
  amount: 'page.amount',
  pool: 'page.pool',
  allocated: 'page.allocated',
  floor: 'page.floor',
  withdrawn: 'page.withdrawn',
  state: 'page.state',
  outcome: `coalesce(page.outcome, '')`,
  revisions: 'page.revisions',
  max_revisions: 'page.max_revisions',
  pay_out: 'page.pay_out',
  hirer_funded: 'page.hirer_funded',
  accept_window_seconds: 'page.accept_window_seconds',
  artifact_hash: `coalesce(page.artifact_hash, '')`,
  delivery_deadline: `date_part('epoch', page.delivery_deadline)`,
  clock: `date_part('epoch', page.clock)`,
  has_arbiter: `task.arbiter_wallet <> ${NO_ARBITER}`,
  ...FATE,
} as const;

/**
 * A node as one line of text, for a row of `page` with its `task`, joined by `fateJoins`: the driver would take longer over so
 * many values than Postgres takes to join them.
 */
export const LINE_OF_NODE = `concat_ws(E'\\t', ${Object.values(VALUES).join(', ')})`;

/** Where each value stands in a line. */
const PLACES = Object.fromEntries(Object.keys(VALUES).map((name, place) => [name, place])) as Record<
  keyof typeof VALUES,
  number
>;

/** A node of a list, as the text that Postgres sent. */
export class ListedNode {
  private readonly values: readonly string[];

  /** @param line as `LINE_OF_NODE` makes it. */
  constructor(line: string) {
    this.values = line.split('\t');
  }

  /** A value as text: `t` for true, unix seconds for a time, '' for nothing. */
  get(name: keyof typeof VALUES): string {
    return this.values[PLACES[name]] ?? '';
  }
}

/** The row of a list of nodes. */
export interface ListedNodesRow {
  /** A line for each node; null when there are none. */
  nodes: string | null;
}

/** The nodes of that row, in their order. */
export function listedNodes([row]: readonly ListedNodesRow[]): ListedNode[] {
  return row?.nodes?.split('\n').map((line) => new ListedNode(line)) ?? [];
}
