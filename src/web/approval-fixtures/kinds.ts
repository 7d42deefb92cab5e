import { childPath } from '#libs/notation';
import { type ActionKind, describeAction, type DescriptionFacts, type PreparedAction } from '#libs/prepared-action';
import type { BalanceChange, SimulationAnswer } from '#libs/approval-wire';
import type { ApprovalEvent } from '../approval/flow/state.js';
import * as sample from './sample.js';

/** Every kind, ready to be signed, with the longest texts and amounts that are accepted. */
const { document, verdict, account, findings, simulation, NOW_MS } = sample;

const ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const HASH = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const AMOUNT = '999999999990000';
const AT = NOW_MS / 1000;

export const LONGEST: DescriptionFacts = {
  nowMs: NOW_MS,
  taskTitle: 'Translate and typeset forty pages of a patent application, German into English, now',
  agentName: 'Lingua Traductions Internationales & Associés – Technical Documents Department 7B',
  hirerName: 'Überlandwerk Documentation Services – Intellectual Property, Team of the Southwest',
  deliverBy: AT + 259_200,
  acceptWindowSeconds: 259_200,
  nodeAmount: AMOUNT,
  unallocated: '900000000000000',
  floor: '500000000000000',
  revisionsLeft: 3,
  subcontracts: 3,
  hasArbiter: true,
  hangsOnParent: true,
  rejectionReason: 'Page twelve is missing, and the claims on page thirty-one are in the wrong order: compare.',
};

const terms = {
  worker: ADDRESS,
  amount: AMOUNT,
  floor: '500000000000000',
  workSeconds: '259200',
  acceptWindow: '259200',
  maxRevisions: '3',
  hirerFunded: true,
  nodeId: childPath(1n, 2).toString(),
};

const MESSAGES: Readonly<Record<ActionKind, readonly [primaryType: string, message: object]>> = {
  create_task: ['CreateTask', { budget: AMOUNT, arbiter: ADDRESS }],
  submit_quote: ['SubmitQuote', { arbiter: ADDRESS, terms: { ...terms, hirerFunded: false } }],
  select_agent: ['SelectAgent', { terms }],
  fund_task: ['FundTask', { terms }],
  subcontract: ['Subcontract', { terms: { ...terms, hirerFunded: false } }],
  deliver: ['Deliver', { artifactHash: HASH, payOut: true }],
  resolve_task: ['ResolveTask', { amount: AMOUNT, worker: ADDRESS, artifactHash: HASH }],
  reject_task: ['RejectTask', { artifactHash: HASH, reasonHash: HASH }],
  abandon_node: ['AbandonNode', { amount: AMOUNT }],
  claim_non_delivery: ['ClaimNonDelivery', { amount: AMOUNT }],
  dispute_node: ['DisputeNode', { evidenceHash: HASH }],
  withdraw_earnings: ['WithdrawEarnings', { amount: AMOUNT, recipient: ADDRESS }],
  withdraw_refund: ['WithdrawRefund', { amount: AMOUNT, recipient: ADDRESS }],
};
const KINDS = Object.keys(MESSAGES) as ActionKind[];

/** Kinds that have no call before the signature, so they cannot be simulated. */
const SIGNED_ONLY: ReadonlySet<ActionKind> = new Set(['create_task', 'submit_quote', 'select_agent']);
const PAYS: ReadonlySet<ActionKind> = new Set(['fund_task']);
const RECEIVES: ReadonlySet<ActionKind> = new Set(['withdraw_earnings', 'withdraw_refund']);

/** `kind_fund_task` and so on: the events that lead to the page of each kind. */
export const KIND_FIXTURES: Readonly<Record<string, readonly ApprovalEvent[]>> = Object.fromEntries(
  KINDS.map((kind) => [`kind_${kind}`, storyOf(kind)]),
);

/** True for a sample whose page leads to a delivery. */
export function showsDelivery(name: string): boolean {
  return name === 'kind_resolve_task' || name === 'kind_reject_task';
}

function storyOf(kind: ActionKind): readonly ApprovalEvent[] {
  const action = actionOf(kind);
  const described: ApprovalEvent = {
    type: 'verified',
    verdict: { ...verdict, description: describeAction(action, LONGEST) },
  };
  return [
    { type: 'wallet_found', wallet: sample.wallet },
    { type: 'document_arrived', document: { ...document, action }, nowMs: NOW_MS, skewMs: -86_460_000 },
    { type: 'connected', wallet: sample.wallet, account: { ...account, isContract: true } },
    { type: 'findings_arrived', findings: { ...findings, reading: { source: 'wallet', chainId: 31_337 } } },
    { type: 'simulation_arrived', simulation: simulationOf(kind) },
    described,
  ];
}

function actionOf(kind: ActionKind): PreparedAction {
  const [primaryType, own] = MESSAGES[kind];
  const message = { validUntil: String(AT + 86_400), nonce: '257', nodeId: '1', ...own };
  const { payload } = document.action;
  return { ...document.action, kind, payload: { ...payload, primaryType, message } };
}

function simulationOf(kind: ActionKind): SimulationAnswer {
  if (SIGNED_ONLY.has(kind)) return { ...simulation, source: 'no_transaction', balances: [], gas: null, block: null };
  if (!PAYS.has(kind) && !RECEIVES.has(kind)) return { ...simulation, balances: [] };
  const change = PAYS.has(kind) ? -BigInt(AMOUNT) : BigInt(AMOUNT);
  const rows: readonly [BalanceChange['label'], bigint][] = [
    ['wallet', change],
    ['escrow', -change],
  ];
  return {
    ...simulation,
    balances: rows.map(([label, moved]) => ({
      wallet: ADDRESS,
      label,
      before: (moved < 0n ? -moved : 0n).toString(),
      after: (moved < 0n ? 0n : moved).toString(),
      change: moved.toString(),
    })),
  };
}
