import {
  type ActionFields,
  actionIdHash,
  contractCall,
  encodeAbandonNode,
  encodeClaimNonDelivery,
  encodeCreateTree,
  encodeDeliver,
  encodeDisputeNode,
  encodeFundTask,
  encodeRejectTask,
  encodeResolveTask,
  encodeSubcontract,
  encodeTokenApprove,
  encodeWithdrawEarnings,
  encodeWithdrawRefund,
  type EscrowMessages,
  type EscrowPrimaryType,
  escrowTypedData,
  FundingMode,
  nodeNonce,
  NodeState,
  type NodeTerms,
  predictEscrowAddress,
  senderAuth,
  treeIdOf,
  type TypedData,
  typedDataDigest,
  usdcTypedData,
} from '#libs/contracts';
import { bytesToHex, childPath, FIRST_WITHDRAWAL_NONCE, type Hex, nodeIdOf, requestDigest, sha256 } from '#libs/kernel';
import type { ActionKind, ChainReading, Context, Deployment, Intent, PreparedAction } from '#libs/prepared-action';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
const ZERO: Hex = address('0');
/** 2026-11-22T12:00:00Z. */
export const NOW = 1_795_348_800;
export const END = NOW + 900;
export const TASK = 'task_01kb3n2w4m6p8r0t2v4x6z8b0d';
export const BUYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const WORKER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const OTHER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
export const PRICE = 250_000_000n;
export const ARTIFACT = hash('a');

export const DEPLOYMENT: Deployment = {
  chainId: 8453,
  factory: address('c'),
  implementation: address('d'),
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  usdcName: 'USD Coin',
  usdcVersion: '2',
  maxActionSeconds: 900,
  signingOrigin: 'https://market.example',
};
export const TREE = { buyer: BUYER, arbiter: ZERO };
export const ESCROW = predictEscrowAddress({
  ...TREE,
  factory: DEPLOYMENT.factory,
  implementation: DEPLOYMENT.implementation,
  treeId: treeIdOf(TASK),
});

/** An honest action, with everything that a client knows of it. */
export interface Signable {
  action: PreparedAction;
  intent: Intent;
  context: Context;
}

/** The kinds of action, and the other ways in which a payment is signed. */
export type SignableName = ActionKind | 'fund_task by EIP-3009' | 'fund_task by permit' | 'subcontract by EIP-3009';

const token = DEPLOYMENT.usdc;
const terms: NodeTerms = {
  nodeId: 1n,
  worker: WORKER,
  amount: PRICE,
  floor: PRICE / 2n,
  workSeconds: 5 * 86_400,
  acceptWindow: 259_200,
  maxRevisions: 3,
  hirerFunded: true,
  termsHash: hash('b'),
};
const childTerms: NodeTerms = {
  ...terms,
  nodeId: childPath(1n, 2),
  worker: OTHER,
  amount: 40_000_000n,
  floor: 20_000_000n,
  workSeconds: 2 * 86_400,
  hirerFunded: false,
};
const ownChildTerms = { ...childTerms, hirerFunded: true };
/** Versions of a node that came the shortest way into a state. */
const VERSIONS: Partial<Record<NodeState, number>> = {
  [NodeState.Funded]: 1,
  [NodeState.Delivered]: 2,
  [NodeState.Rejected]: 3,
  [NodeState.Settled]: 3,
};
const BODY_TERMS = { brief: 'Translate the attached 40 pages.', criteria: ['Every page is translated'] };
const reasonHash = bytesToHex(sha256('Page 12 is missing.'));
const workerAuth = {
  actionId: hash('1'),
  requestDigest: hash('2'),
  nonce: nodeNonce(1n, 0),
  validUntil: BigInt(NOW + 86_400),
  signature: `0x${'11'.repeat(65)}` as Hex,
};
const WINDOWS = { accept_window_seconds: 259_200, delivery_window_seconds: 604_800 };
const frozen = requestDigest({
  ...BODY_TERMS,
  ...WINDOWS,
  budget: { amount: '300.00', currency: 'USDC' },
  arbiter: ZERO,
});

interface Plan<P extends EscrowPrimaryType = EscrowPrimaryType> {
  type: P;
  own: Omit<EscrowMessages[P], keyof ActionFields>;
  wallet: string;
  body?: unknown;
  /** Path of the node that `node_id` names. */
  node?: bigint;
  /** State of that node on the chain. */
  state?: NodeState;
  validUntil?: number;
  calls?: (fields: ActionFields) => { to: Hex; data: Hex; value: '0x0' }[];
  pays?: 'authorization' | 'permit';
}

const at = (data: Hex) => contractCall(ESCROW, data);
const plan = <P extends EscrowPrimaryType>(made: Plan<P>): Plan => made as unknown as Plan;
const fund = (mode: FundingMode): Plan<'FundTask'> => ({
  type: 'FundTask',
  own: { terms, token, fundingMode: mode },
  wallet: BUYER,
  node: 1n,
});

const PLANS: Record<SignableName, Plan> = {
  create_task: plan({
    type: 'CreateTask',
    own: { buyer: BUYER, arbiter: ZERO, token, budget: 300_000_000n, termsHash: frozen },
    wallet: BUYER,
    body: { ...BODY_TERMS, budget: { amount: '300', currency: 'USDC' }, selection_mode: 'manual' },
    validUntil: NOW + 14 * 86_400,
  }),
  submit_quote: plan({
    type: 'SubmitQuote',
    own: { terms, hirer: BUYER, arbiter: ZERO, token },
    wallet: WORKER,
    node: 1n,
    body: {
      task_id: TASK,
      agent_id: 'agent_01kb3n2w4m6p8r0t2v4x6z8b0d',
      price: { amount: '250', currency: 'USDC' },
      work_seconds: terms.workSeconds,
      terms_hash: terms.termsHash,
    },
    validUntil: NOW + 3 * 86_400,
  }),
  select_agent: plan({
    type: 'SelectAgent',
    own: { terms, token },
    wallet: BUYER,
    node: 1n,
    body: { mode: 'manual', agent_id: 'agent_01kb3n2w4m6p8r0t2v4x6z8b0d' },
    validUntil: NOW + 3 * 86_400,
  }),
  fund_task: plan({
    ...fund(FundingMode.Allowance),
    body: { funding_mode: 'allowance' },
    calls: (fields) => [
      contractCall(DEPLOYMENT.factory, encodeCreateTree({ ...TREE, treeId: treeIdOf(TASK) })),
      contractCall(token, encodeTokenApprove(ESCROW, PRICE)),
      at(encodeFundTask(terms, { mode: FundingMode.Allowance }, senderAuth(fields), workerAuth)),
    ],
  }),
  'fund_task by EIP-3009': plan({ ...fund(FundingMode.Authorization3009), pays: 'authorization' }),
  'fund_task by permit': plan({ ...fund(FundingMode.Permit), body: { funding_mode: 'permit' }, pays: 'permit' }),
  subcontract: plan({
    type: 'Subcontract',
    own: { terms: childTerms, token, fundingMode: FundingMode.ParentNode },
    wallet: WORKER,
    node: 1n,
    state: NodeState.Funded,
    body: { quote_id: 'quote_1', accept_window_seconds: 259_200 },
    calls: (fields) => [
      at(encodeSubcontract(childTerms, { mode: FundingMode.ParentNode }, senderAuth(fields), workerAuth)),
    ],
  }),
  'subcontract by EIP-3009': plan({
    type: 'Subcontract',
    own: { terms: ownChildTerms, token, fundingMode: FundingMode.Authorization3009 },
    wallet: WORKER,
    node: 1n,
    state: NodeState.Funded,
    body: { quote_id: 'quote_1', accept_window_seconds: 259_200 },
    pays: 'authorization',
  }),
  deliver: plan({
    type: 'Deliver',
    own: { nodeId: 1n, artifactHash: ARTIFACT, payOut: true },
    wallet: WORKER,
    node: 1n,
    state: NodeState.Funded,
    body: { task_id: TASK, artifact_hash: ARTIFACT.toUpperCase().replace('0X', '0x'), custody_receipt: 'r' },
    calls: (fields) => [at(encodeDeliver(1n, ARTIFACT, true, senderAuth(fields)))],
  }),
  resolve_task: plan({
    type: 'ResolveTask',
    own: { nodeId: 1n, worker: WORKER, token, amount: PRICE, artifactHash: ARTIFACT },
    wallet: BUYER,
    node: 1n,
    state: NodeState.Delivered,
    body: { resolution: 'accept' },
    calls: (fields) => [at(encodeResolveTask(1n, ARTIFACT, senderAuth(fields)))],
  }),
  reject_task: plan({
    type: 'RejectTask',
    own: { nodeId: 1n, artifactHash: ARTIFACT, reasonHash },
    wallet: BUYER,
    node: 1n,
    state: NodeState.Delivered,
    body: { reason: 'Page 12 is missing.' },
    calls: (fields) => [at(encodeRejectTask(1n, ARTIFACT, reasonHash, senderAuth(fields)))],
  }),
  abandon_node: plan({
    type: 'AbandonNode',
    own: { nodeId: 1n, token, amount: PRICE },
    wallet: WORKER,
    node: 1n,
    state: NodeState.Funded,
    calls: (fields) => [at(encodeAbandonNode(1n, senderAuth(fields)))],
  }),
  claim_non_delivery: plan({
    type: 'ClaimNonDelivery',
    own: { nodeId: 1n, token, amount: PRICE },
    wallet: BUYER,
    node: 1n,
    state: NodeState.Funded,
    calls: (fields) => [at(encodeClaimNonDelivery(1n, BUYER, senderAuth(fields)))],
  }),
  dispute_node: plan({
    type: 'DisputeNode',
    own: { nodeId: 1n, evidenceHash: hash('e') },
    wallet: WORKER,
    node: 1n,
    state: NodeState.Rejected,
    body: { evidence_hash: hash('e') },
    calls: (fields) => [at(encodeDisputeNode(1n, hash('e'), senderAuth(fields)))],
  }),
  withdraw_earnings: plan({
    type: 'WithdrawEarnings',
    own: { nodeId: 1n, recipient: WORKER, token, amount: PRICE },
    wallet: WORKER,
    node: 1n,
    state: NodeState.Settled,
    body: { destination: WORKER.toLowerCase(), task_id: TASK },
    calls: (fields) => [at(encodeWithdrawEarnings(1n, WORKER, PRICE, senderAuth(fields)))],
  }),
  withdraw_refund: plan({
    type: 'WithdrawRefund',
    own: { account: BUYER, recipient: OTHER, token, amount: PRICE },
    wallet: BUYER,
    body: { destination: OTHER },
    calls: (fields) => [at(encodeWithdrawRefund(BUYER, OTHER, PRICE, senderAuth(fields)))],
  }),
};

export const SIGNABLE_NAMES = Object.keys(PLANS) as SignableName[];

/** An honest action of a kind, as the service would return it, with a client that can check all of it. */
export function signable(name: SignableName): Signable {
  const made = PLANS[name];
  const kind = name.split(' ')[0] as ActionKind;
  const fields: ActionFields = {
    actionId: actionIdHash('act_1'),
    requestDigest: requestDigest(made.body),
    nonce: nonceOf(made),
    validUntil: BigInt(made.validUntil ?? END + 60),
  };
  const typed = escrowTypedData(made.type, { chainId: 8453, escrowAddress: ESCROW }, {
    ...made.own,
    ...fields,
  } as never);
  const calls = made.calls?.(fields) ?? [];
  const action = {
    action_id: 'act_1',
    kind,
    principal: 'acct_1',
    wallet_address: made.wallet,
    task_id: TASK,
    ...(made.node === undefined ? {} : { node_id: nodeIdOf(TASK, made.node) }),
    chain_id: 8453,
    escrow_address: ESCROW,
    nonce: fields.nonce.toString(),
    request_digest: fields.requestDigest,
    payload: { ...paymentOf(made, typed, fields), ...callsIn(calls, made.wallet) },
    signing_url: 'https://market.example/sign/9J2x0s4mJ5n7q3Y1c8b6e0R4t2v9w7z5A3d1F8g6H4k',
    expires_at: new Date(END * 1000).toISOString(),
  };
  return {
    action: JSON.parse(JSON.stringify(action)),
    intent: {
      kind,
      principal: 'acct_1',
      wallet: made.wallet,
      ...(kind === 'create_task' ? {} : { taskId: TASK }),
      ...(made.node === undefined || kind === 'submit_quote' ? {} : { nodeId: nodeIdOf(TASK, made.node) }),
      ...(made.body === undefined ? {} : { body: made.body }),
      tree: TREE,
    },
    context: {
      deployment: { ...DEPLOYMENT },
      nowMs: NOW * 1000,
      connectedWallet: made.wallet,
      readings: [readingOf(made, kind)],
    },
  };
}

/** The nonce that the contract asks for in the plan's state. */
function nonceOf({ type, own, state = NodeState.None }: Plan): bigint {
  if (type === 'CreateTask') return 0n;
  if (type.startsWith('Withdraw')) return FIRST_WITHDRAWAL_NONCE + 7n;
  const { terms: hired, nodeId = 1n } = own as { terms?: NodeTerms; nodeId?: bigint };
  return hired === undefined ? nodeNonce(nodeId, VERSIONS[state] ?? 0) : nodeNonce(hired.nodeId, 0);
}

function readingOf({ state = NodeState.None }: Plan, kind: ActionKind): ChainReading {
  const node = {
    state,
    version: VERSIONS[state] ?? 0,
    revisions: 0,
    maxRevisions: terms.maxRevisions,
    amount: PRICE,
    worker: WORKER as Hex,
    allocated: 0n,
    deliverBy: kind === 'claim_non_delivery' ? NOW - 100 : NOW + terms.workSeconds,
    clock: NOW + 5 * 86_400,
    artifactHash: ARTIFACT,
  };
  return {
    source: 'wallet',
    chainId: 8453,
    escrow: 'clone',
    nonceUsed: false,
    permitNonce: 3n,
    node: state === NodeState.None ? null : node,
    blockTime: NOW,
  };
}

function paymentOf({ type, pays, wallet }: Plan, action: TypedData, { validUntil }: ActionFields): object {
  const domain = { name: 'USD Coin', version: '2', chainId: 8453, tokenAddress: token };
  const value = type === 'Subcontract' ? childTerms.amount : PRICE;
  if (pays === 'permit') {
    const permit = { owner: wallet, spender: ESCROW, value, nonce: 3n, deadline: validUntil };
    return { ...usdcTypedData('Permit', domain, permit), authorizes: action };
  }
  if (pays === undefined) return action;
  const payment = {
    from: wallet,
    to: ESCROW,
    value,
    validAfter: 0n,
    validBefore: validUntil + 1n,
    nonce: typedDataDigest(action),
  };
  return { ...usdcTypedData('ReceiveWithAuthorization', domain, payment), authorizes: action };
}

function callsIn(calls: readonly object[], from: string): object {
  const [only, ...more] = calls;
  if (only === undefined) return {};
  return more.length > 0 ? { calls } : { transaction: { from, ...only, chainId: '0x2105' } };
}
