import {
  type ActionFields,
  actionIdHash,
  contractCall,
  encodeAbandonNode,
  encodeClaimNonDelivery,
  encodeCreateTask,
  encodeCreateTree,
  encodeDeliver,
  encodeDisputeNode,
  encodeFundTask,
  encodeMulticall,
  encodeRejectTask,
  encodeResolveTask,
  encodeSelectAgent,
  encodeSubcontract,
  encodeTokenApprove,
  encodeWithdrawEarnings,
  encodeWithdrawRefund,
  type EscrowMessages,
  type EscrowPrimaryType,
  escrowTypedData,
  FundingMode,
  type NodeTerms,
  predictEscrowAddress,
  senderAuth,
  treeIdOf,
  type TypedData,
  typedDataDigest,
  usdcTypedData,
} from '#libs/contracts';
import { bytesToHex, type Hex, nodeIdOf, requestDigest, sha256 } from '#libs/kernel';
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
  nodeId: 1,
  parentNodeId: 0,
  worker: WORKER,
  amount: PRICE,
  deliverBy: NOW + 5 * 86_400,
  acceptWindow: 259_200,
  hirerFunded: true,
  termsHash: hash('b'),
};
const childTerms = { ...terms, nodeId: 2, parentNodeId: 1, worker: OTHER, amount: 40_000_000n, hirerFunded: false };
const BODY_TERMS = { brief: 'Translate the attached 40 pages.', criteria: ['Every page is translated'] };
const reasonHash = bytesToHex(sha256('Page 12 is missing.'));
const workerAuth = {
  actionId: hash('1'),
  requestDigest: hash('2'),
  nonce: 0n,
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
  /** Number of the node that `node_id` names. */
  node?: number;
  /** State of that node on the chain. */
  state?: number;
  validUntil?: number;
  calls?: (fields: ActionFields) => { to: Hex; data: Hex; value: '0x0' }[];
  pays?: 'authorization' | 'permit';
}

const at = (data: Hex) => contractCall(ESCROW, data);
const plan = <P extends EscrowPrimaryType>(made: Plan<P>): Plan => made as unknown as Plan;
const fund: Plan<'FundTask'> = {
  type: 'FundTask',
  own: { nodeId: 1, worker: WORKER, token, amount: PRICE },
  wallet: BUYER,
  node: 1,
  state: 1,
};

const PLANS: Record<SignableName, Plan> = {
  create_task: plan({
    type: 'CreateTask',
    own: { buyer: BUYER, arbiter: ZERO, token, budget: 300_000_000n, termsHash: frozen },
    wallet: BUYER,
    body: { ...BODY_TERMS, budget: { amount: '300', currency: 'USDC' }, selection_mode: 'manual' },
    validUntil: NOW + 14 * 86_400,
    calls: (fields) => [
      contractCall(DEPLOYMENT.factory, encodeCreateTree({ ...TREE, treeId: treeIdOf(TASK) })),
      at(encodeCreateTask({ budget: 300_000_000n, termsHash: frozen }, senderAuth(fields))),
    ],
  }),
  submit_quote: plan({
    type: 'SubmitQuote',
    own: { terms, hirer: BUYER, arbiter: ZERO, token },
    wallet: WORKER,
    node: 1,
    body: {
      task_id: TASK,
      agent_id: 'agent_01kb3n2w4m6p8r0t2v4x6z8b0d',
      price: { amount: '250', currency: 'USDC' },
      deadline: new Date(terms.deliverBy * 1000).toISOString(),
      terms_hash: terms.termsHash,
    },
    validUntil: NOW + 3 * 86_400,
  }),
  select_agent: plan({
    type: 'SelectAgent',
    own: { terms, token },
    wallet: BUYER,
    node: 1,
    body: { mode: 'manual', agent_id: 'agent_01kb3n2w4m6p8r0t2v4x6z8b0d' },
    validUntil: NOW + 3 * 86_400,
    calls: (fields) => [
      contractCall(DEPLOYMENT.factory, encodeCreateTree({ ...TREE, treeId: treeIdOf(TASK) })),
      at(encodeSelectAgent(terms, senderAuth(fields), workerAuth)),
    ],
  }),
  fund_task: plan({
    ...fund,
    body: { funding_mode: 'allowance' },
    calls: (fields) => [
      contractCall(token, encodeTokenApprove(ESCROW, PRICE)),
      at(
        encodeMulticall([
          encodeSelectAgent(terms, workerAuth, workerAuth),
          encodeFundTask(1, { mode: FundingMode.Allowance }, senderAuth(fields)),
        ]),
      ),
    ],
  }),
  'fund_task by EIP-3009': plan({ ...fund, pays: 'authorization' }),
  'fund_task by permit': plan({ ...fund, body: { funding_mode: 'permit' }, pays: 'permit' }),
  subcontract: plan({
    type: 'Subcontract',
    own: { terms: childTerms, token },
    wallet: WORKER,
    node: 1,
    state: 2,
    body: { quote_id: 'quote_1', accept_window_seconds: 259_200 },
    calls: (fields) => [
      at(encodeSubcontract(childTerms, { mode: FundingMode.ParentNode }, senderAuth(fields), workerAuth)),
    ],
  }),
  'subcontract by EIP-3009': plan({
    type: 'Subcontract',
    own: { terms: { ...childTerms, hirerFunded: true }, token },
    wallet: WORKER,
    node: 1,
    state: 2,
    body: { quote_id: 'quote_1', accept_window_seconds: 259_200 },
    pays: 'authorization',
  }),
  deliver: plan({
    type: 'Deliver',
    own: { nodeId: 1, artifactHash: ARTIFACT },
    wallet: WORKER,
    node: 1,
    state: 2,
    body: { task_id: TASK, artifact_hash: ARTIFACT.toUpperCase().replace('0X', '0x'), custody_receipt: 'r' },
    calls: (fields) => [at(encodeDeliver(1, ARTIFACT, senderAuth(fields)))],
  }),
  resolve_task: plan({
    type: 'ResolveTask',
    own: { nodeId: 1, worker: WORKER, token, amount: PRICE, artifactHash: ARTIFACT },
    wallet: BUYER,
    node: 1,
    state: 3,
    body: { resolution: 'accept' },
    calls: (fields) => [at(encodeResolveTask(1, ARTIFACT, senderAuth(fields)))],
  }),
  reject_task: plan({
    type: 'RejectTask',
    own: { nodeId: 1, artifactHash: ARTIFACT, reasonHash },
    wallet: BUYER,
    node: 1,
    state: 3,
    body: { reason: 'Page 12 is missing.' },
    calls: (fields) => [at(encodeRejectTask(1, ARTIFACT, reasonHash, senderAuth(fields)))],
  }),
  abandon_node: plan({
    type: 'AbandonNode',
    own: { nodeId: 1, token, amount: PRICE },
    wallet: WORKER,
    node: 1,
    state: 2,
    calls: (fields) => [at(encodeAbandonNode(1, senderAuth(fields)))],
  }),
  claim_non_delivery: plan({
    type: 'ClaimNonDelivery',
    own: { nodeId: 1, token, amount: PRICE },
    wallet: BUYER,
    node: 1,
    state: 2,
    calls: (fields) => [at(encodeClaimNonDelivery(1, BUYER, senderAuth(fields)))],
  }),
  dispute_node: plan({
    type: 'DisputeNode',
    own: { nodeId: 1, evidenceHash: hash('e') },
    wallet: WORKER,
    node: 1,
    state: 4,
    body: { evidence_hash: hash('e') },
    calls: (fields) => [at(encodeDisputeNode(1, hash('e'), senderAuth(fields)))],
  }),
  withdraw_earnings: plan({
    type: 'WithdrawEarnings',
    own: { nodeId: 1, recipient: WORKER, token, amount: PRICE },
    wallet: WORKER,
    node: 1,
    state: 6,
    body: { destination: WORKER.toLowerCase(), task_id: TASK },
    calls: (fields) => [at(encodeWithdrawEarnings(1, WORKER, PRICE, senderAuth(fields)))],
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
    nonce: 7n,
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
    nonce: '7',
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

function readingOf({ state }: Plan, kind: ActionKind): ChainReading {
  const node = {
    state: state ?? 0,
    amount: PRICE,
    worker: WORKER as Hex,
    allocated: 0n,
    deliverBy: kind === 'claim_non_delivery' ? NOW - 100 : terms.deliverBy,
    clock: NOW + 5 * 86_400,
    artifactHash: ARTIFACT,
  };
  return {
    source: 'wallet',
    chainId: 8453,
    escrow: 'clone',
    nonceUsed: false,
    permitNonce: 3n,
    node: state === undefined ? null : node,
    blockTime: NOW,
  };
}

function paymentOf({ type, pays, wallet }: Plan, action: TypedData, { validUntil }: ActionFields): object {
  const domain = { name: 'USD Coin', version: '2', chainId: 8453, tokenAddress: token };
  const value = type === 'Subcontract' ? childTerms.amount : PRICE;
  if (pays === 'permit') {
    const permit = { owner: wallet, spender: ESCROW, value, nonce: 3n, deadline: validUntil };
    return usdcTypedData('Permit', domain, permit);
  }
  if (pays === undefined) return action;
  const payment = {
    from: wallet,
    to: ESCROW,
    value,
    validAfter: 0n,
    validBefore: validUntil,
    nonce: typedDataDigest(action),
  };
  return { ...usdcTypedData('ReceiveWithAuthorization', domain, payment), authorizes: action };
}

function callsIn(calls: readonly object[], from: string): object {
  const [only, ...more] = calls;
  if (only === undefined) return {};
  return more.length > 0 ? { calls } : { transaction: { from, ...only, chainId: '0x2105' } };
}
