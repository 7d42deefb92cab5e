import type { ActionBook } from '../actions/action-book.js';
import type { ActionRequest } from '../actions/action-request.js';
import { Refusal } from '../document/refusal.js';
import type { FakeNode, Owned, Party, Schemas } from '../state/market-state.js';

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

/** What an operation does; a list is given whole. */
export type Handler = (call: Call) => unknown;

/** What a task allows its buyer in each status. */
export const TASK_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  open: ['select_agent'],
  selected: ['fund_task'],
  delivered: ['resolve_task', 'reject_task'],
  rejected: ['resolve_task'],
};
/** What a node allows its worker, and its hirer, in each state. */
const NODE_ALLOWED: Readonly<Record<string, Readonly<Record<'worker' | 'hirer', readonly string[]>>>> = {
  funded: { worker: ['deliver', 'subcontract', 'abandon_node'], hirer: [] },
  delivered: { worker: [], hirer: ['resolve_task', 'reject_task'] },
  rejected: { worker: ['deliver', 'dispute_node'], hirer: ['resolve_task'] },
};

export function nodesOf(
  { state, party }: Call,
  nodes: readonly FakeNode[],
  inState: string | undefined,
): Schemas['EscrowNode'][] {
  return nodes
    .filter(({ record }) => record.state === (inState ?? record.state))
    .map((node) => {
      const may = NODE_ALLOWED[node.record.state];
      const asWorker = node.worker === party ? (may?.worker ?? []) : [];
      const asHirer = state.hirerOf(node) === party ? (may?.hirer ?? []) : [];
      const own = node.worker === party && node.withdrawable > 0n ? ['withdraw_earnings'] : [];
      return { ...node.record, allowed_actions: [...asWorker, ...asHirer, ...own] };
    });
}

export function recordsOf<T>(list: readonly Owned<T>[], party: Party): T[] {
  return list.filter(({ owner }) => owner === party).map(({ record }) => record);
}

export function found<T extends { id: string }>(list: readonly Owned<T>[], id: string | undefined): T {
  const one = list.find(({ record }) => record.id === id)?.record;
  if (one === undefined) throw new Refusal('not_found');
  return one;
}
