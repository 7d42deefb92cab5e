import { FIRST_WITHDRAWAL_NONCE, type Hex, NODE_VERSION_BITS, nodeIdOf, parentPath } from '#libs/notation';
import {
  type ActionKind,
  type Argument,
  type Deployment,
  DOMAIN_MEMBERS,
  encodeCall,
  ESCROW_DOMAIN_NAME,
  ESCROW_DOMAIN_VERSION,
  ESCROW_TYPES,
  hashTypedData,
  isEscrowPrimaryType,
  keccakText,
  matchCode,
  NODE_TERMS_MEMBERS,
  type PreparedAction,
  type ProposedCall,
  requestDigestOf,
  ruleOf,
  type TypedMember,
  USDC_TYPES,
  WAYS_TO_PAY,
} from '#libs/prepared-action';
import type { FakeTask, Party } from '../state/market-state.js';

/** What an action is made of. */
export interface ActionPlan {
  readonly kind: ActionKind;
  readonly actionId: string;
  readonly principal: Party;
  readonly task: FakeTask;
  /** Members of the escrow's own message but the last four. */
  readonly own: Readonly<Record<string, Argument>>;
  /** Version of the node that it is for; 0 of one that is to be new. */
  readonly version: number;
  /** Body of the request as it was sent; undefined: it had none. */
  readonly body: unknown;
  readonly nowSeconds: number;
  /** Last second of a signature that is kept; absent: a minute after the action. */
  readonly validUntil?: number;
  readonly signingPath: string;
}

interface Typed {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, readonly TypedMember[]>;
  readonly primaryType: string;
  readonly message: Record<string, Argument>;
}

/** Ways to pay, by the number that the contract has for them. */
export const FUNDING_MODES = WAYS_TO_PAY.map(([name]) => name);
/** A minute, for what is signed in the last second. */
const MINING_SECONDS = 60;
const NO_SIGNATURE: Hex = '0x';

/** The action as the service would write it for this deployment. */
export function writeAction(plan: ActionPlan, deployment: Deployment): PreparedAction {
  const { kind, principal, task, body, nowSeconds } = plan;
  const rule = ruleOf(kind);
  if (rule === null) throw new TypeError(`No kind ${kind}`);
  const end = nowSeconds + deployment.maxActionSeconds;
  const nonce = nonceOf(plan).toString();
  const fields = {
    actionId: keccakText(plan.actionId),
    requestDigest: requestDigestOf(body),
    nonce,
    validUntil: `${plan.validUntil ?? end + MINING_SECONDS}`,
  };
  const escrow = task.record.escrow_address as Hex;
  const { chainId } = deployment;
  const own = typed(
    rule.struct,
    { name: ESCROW_DOMAIN_NAME, version: ESCROW_DOMAIN_VERSION, chainId, verifyingContract: escrow },
    { ...plan.own, ...fields },
  );
  const payload = payloadOf(own, plan, deployment, escrow);
  const path = pathOf(plan);
  const named = rule.isUnderNode === true && path !== null ? parentPath(path) : path;
  return {
    action_id: plan.actionId,
    kind,
    principal: principal.id,
    wallet_address: principal.address,
    task_id: task.record.id,
    ...(named === null ? {} : { node_id: nodeIdOf(task.record.id, named) }),
    chain_id: chainId,
    escrow_address: escrow,
    nonce,
    request_digest: fields.requestDigest,
    payload,
    signing_url: new URL(plan.signingPath, deployment.signingOrigin).href,
    match_code: matchCode(hashTypedData(payload).digest),
    expires_at: new Date(end * 1000).toISOString(),
  };
}

/** The call that takes an action and its signature to the chain; null: the signature is all that there is. */
export function signedCall(
  { kind, payload, nonce, escrow_address: to, wallet_address: from }: PreparedAction,
  signature: Hex,
  task: FakeTask,
  deployment: Deployment,
): (ProposedCall & Record<string, string>) | null {
  if (ruleOf(kind)?.isKept !== false) return null;
  const { authorizes, primaryType, message } = payload as unknown as Typed & { authorizes?: Typed };
  const own = authorizes ?? { primaryType, message };
  const isPermit = primaryType === 'Permit';
  const { actionId, requestDigest, validUntil, fundingMode, ...members } = own.message;
  const auth = { actionId, requestDigest, nonce, validUntil, signature: isPermit ? NO_SIGNATURE : signature };
  const data = encodeCall('escrow', functionOf(own.primaryType), {
    ...members,
    ...(members['account'] === undefined ? { account: from ?? '' } : {}),
    ...(fundingMode === undefined ? {} : { mode: fundingMode }),
    auth,
    hirerAuth: auth,
    workerAuth: { ...auth, signature: `0x${'11'.repeat(65)}` },
    permit: isPermit ? signature : NO_SIGNATURE,
  } as Record<string, Argument>);
  const { buyer, arbiter } = task.parties;
  const isFirst = task.nodes.size === 0;
  const created = { buyer, arbiter, treeId: keccakText(task.record.id), call: data };
  return {
    ...(isPermit ? { from: from ?? '' } : {}),
    to: isFirst ? deployment.factory : to,
    data: isFirst ? encodeCall('factory', 'createTree', created) : data,
    value: '0x0',
    chainId: `0x${deployment.chainId.toString(16)}`,
  };
}

function payloadOf(own: Typed, plan: ActionPlan, deployment: Deployment, escrow: Hex): Record<string, unknown> {
  const mode = FUNDING_MODES[Number(own.message['fundingMode'] ?? 0)];
  const { terms, validUntil = '0' } = own.message;
  const value = (terms as Record<string, string> | undefined)?.['amount'] ?? '0';
  const wallet = plan.principal.address;
  const domain = {
    name: deployment.usdcName,
    version: deployment.usdcVersion,
    chainId: deployment.chainId,
    verifyingContract: deployment.usdc,
  };
  if (mode === 'permit') {
    const permit = { owner: wallet, spender: escrow, value, nonce: '0', deadline: validUntil };
    return { ...typed('Permit', domain, permit), authorizes: own };
  }
  if (mode === 'authorization') {
    const payment = {
      from: wallet,
      to: escrow,
      value,
      validAfter: '0',
      validBefore: `${BigInt(validUntil as string) + 1n}`,
      nonce: hashTypedData(own).digest,
    };
    return { ...typed('ReceiveWithAuthorization', domain, payment), authorizes: own };
  }
  return { ...own };
}

function typed(primaryType: string, domain: Record<string, unknown>, message: Record<string, Argument>): Typed {
  const members = isEscrowPrimaryType(primaryType)
    ? ESCROW_TYPES[primaryType]
    : USDC_TYPES[primaryType as keyof typeof USDC_TYPES];
  const types = {
    EIP712Domain: DOMAIN_MEMBERS,
    [primaryType]: members,
    ...(members.some(({ type }) => type === 'NodeTerms') ? { NodeTerms: NODE_TERMS_MEMBERS } : {}),
  };
  // In the order of the struct.
  const ordered = Object.fromEntries(members.map(({ name }) => [name, message[name] ?? '0']));
  return { domain, types, primaryType, message: ordered };
}

function pathOf({ kind, own }: ActionPlan): bigint | null {
  const member = ruleOf(kind)?.nodeMember ?? null;
  if (member === null) return null;
  const holder = member === 'nodeId' ? own : (own['terms'] as Record<string, Argument>);
  return BigInt(holder['nodeId'] as string);
}

function nonceOf(plan: ActionPlan): bigint {
  const rule = ruleOf(plan.kind)?.nonce;
  if (rule === 'zero') return 0n;
  if (rule === 'withdrawal') return FIRST_WITHDRAWAL_NONCE + BigInt(plan.task.usedNonces.size);
  return ((pathOf(plan) ?? 0n) << NODE_VERSION_BITS) | BigInt(plan.version);
}

/** The function of an action is called as its struct. */
function functionOf(struct: string): string {
  return struct.charAt(0).toLowerCase() + struct.slice(1);
}
