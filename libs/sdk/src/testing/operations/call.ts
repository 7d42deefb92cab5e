import { isRootPath } from '#libs/notation';
import type { ActionKind } from '#libs/prepared-action';
import type { ActionBook } from '../actions/action-book.js';
import { type ActionRequest, nodeRefusal } from '../actions/action-request.js';
import { Refusal } from '../document/refusal.js';
import type { FakeNode, FakeTask, Owned, Party, Schemas } from '../state/market-state.js';

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

/** The kinds on a node that are for its worker, for its hirer, and for whoever sees it. */
const KINDS_OF: Readonly<Record<'worker' | 'hirer' | 'anyone', readonly ActionKind[]>> = {
  worker: ['deliver', 'abandon_node', 'dispute_node', 'subcontract'],
  hirer: ['resolve_task', 'reject_task'],
  anyone: ['claim_non_delivery'],
};

/** What a task and its newest root node allow the caller now. */
export function taskActions(call: Call, { owner, record, refunds, nodes }: FakeTask): string[] {
  const { state, party } = call;
  const may: string[] = [];
  if (record.status === 'open') {
    if (owner === party) may.push('select_agent');
    else if (recordsOf(state.agents, party).some(({ status }) => status === 'active')) may.push('submit_quote');
  }
  if (record.status === 'selected' && owner === party) may.push('fund_task');
  if (refunds.has(party.address.toLowerCase())) may.push('withdraw_refund');
  const root = [...nodes.values()].findLast(({ path }) => isRootPath(path));
  return root === undefined ? may : [...may, ...nodeActions(call, root)];
}

function nodeActions({ state, party }: Call, node: FakeNode): string[] {
  const isWorker = node.worker === party;
  const kinds = [
    ...(isWorker ? KINDS_OF.worker : []),
    ...(state.hirerOf(node) === party ? KINDS_OF.hirer : []),
    ...KINDS_OF.anyone,
  ];
  const own = isWorker && node.withdrawable > 0n ? ['withdraw_earnings'] : [];
  return [...kinds.filter((kind) => nodeRefusal(state, kind, node) === null), ...own];
}

export function nodesOf(call: Call, nodes: readonly FakeNode[], inState: string | undefined): Schemas['EscrowNode'][] {
  return nodes
    .filter(({ record }) => record.state === (inState ?? record.state))
    .map((node) => ({ ...node.record, allowed_actions: nodeActions(call, node) }));
}

export function recordsOf<T>(list: readonly Owned<T>[], party: Party): T[] {
  return list.filter(({ owner }) => owner === party).map(({ record }) => record);
}

export function found<T extends { id: string }>(list: readonly Owned<T>[], id: string | undefined): T {
  const one = list.find(({ record }) => record.id === id)?.record;
  if (one === undefined) throw new Refusal('not_found');
  return one;
}
