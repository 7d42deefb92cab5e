import type { Hex } from '#libs/notation';

/** One member of an EIP-712 struct. */
export interface TypedMember {
  readonly name: string;
  readonly type: string;
}

/** The members that every struct of the escrow ends with (docs/decisions/escrow.md#signed-actions, **H**). */
export type ActionFields = {
  /** keccak256 of `PreparedAction.action_id`, see `actionIdHash`. */
  actionId: Hex;
  /** `PreparedAction.request_digest`. */
  requestDigest: Hex;
  /**
   * Single-use number of the signer within the tree. For an action about a node: the node's path, shifted by 8 bits, and
   * its version (0 before it exists); for a withdrawal any number from 2^255 on.
   */
  nonce: bigint;
  /** Last unix second at which the action may be executed. */
  validUntil: bigint;
};

/** What one node is hired under; hirer and worker sign the same. Money in base units, times in seconds. */
export type NodeTerms = {
  /** Path of the node in its tree. */
  nodeId: bigint;
  worker: string;
  amount: bigint;
  /** The most that may be carved out for helpers, and the worker's share if an arbiter who was asked is silent. */
  floor: bigint;
  /** From the funding on. */
  workSeconds: number;
  acceptWindow: number;
  /** How often the worker may deliver again after a rejection. */
  maxRevisions: number;
  /** Whether the hirer brings the money itself. */
  hirerFunded: boolean;
  termsHash: string;
};

type Action<Own> = Own & ActionFields;

/** The message of each primary type of the escrow. Addresses and digests are `0x` texts. */
export type EscrowMessages = {
  CreateTask: Action<{ buyer: string; arbiter: string; token: string; budget: bigint; termsHash: string }>;
  SubmitQuote: Action<{ terms: NodeTerms; hirer: string; arbiter: string; token: string }>;
  SelectAgent: Action<{ terms: NodeTerms; token: string }>;
  /** `fundingMode` is a number of `FundingMode`, here and in `Subcontract`. */
  FundTask: Action<{ terms: NodeTerms; token: string; fundingMode: number }>;
  Subcontract: Action<{ terms: NodeTerms; token: string; fundingMode: number }>;
  /** `payOut`: to be paid to the worker's own address as soon as the node settles. */
  Deliver: Action<{ nodeId: bigint; artifactHash: string; payOut: boolean }>;
  ResolveTask: Action<{ nodeId: bigint; worker: string; token: string; amount: bigint; artifactHash: string }>;
  RejectTask: Action<{ nodeId: bigint; artifactHash: string; reasonHash: string }>;
  AbandonNode: Action<{ nodeId: bigint; token: string; amount: bigint }>;
  ClaimNonDelivery: Action<{ nodeId: bigint; token: string; amount: bigint }>;
  WithdrawEarnings: Action<{ nodeId: bigint; recipient: string; token: string; amount: bigint }>;
  WithdrawRefund: Action<{ account: string; recipient: string; token: string; amount: bigint }>;
  DisputeNode: Action<{ nodeId: bigint; evidenceHash: string }>;
  RuleDispute: Action<{ nodeId: bigint; token: string; workerShare: bigint; rulingHash: string }>;
  AgreeSplit: Action<{
    nodeId: bigint;
    hirer: string;
    worker: string;
    token: string;
    amount: bigint;
    workerShare: bigint;
  }>;
};
export type EscrowPrimaryType = keyof EscrowMessages;
/** The primary types of the kinds of action. */
export type KindPrimaryType = Exclude<EscrowPrimaryType, 'RuleDispute' | 'AgreeSplit'>;

/** The messages of the token's own structs that pay into an escrow (EIP-3009 and EIP-2612). */
export type UsdcMessages = {
  /** `nonce` is the digest of the `FundTask` or `Subcontract` that the money is for. */
  ReceiveWithAuthorization: {
    from: string;
    to: string;
    value: bigint;
    validAfter: bigint;
    validBefore: bigint;
    nonce: string;
  };
  Permit: { owner: string; spender: string; value: bigint; nonce: bigint; deadline: bigint };
};
export type UsdcPrimaryType = keyof UsdcMessages;

/** The EIP-712 domain of every tree's escrow, with the tree's chain and address added. */
export const ESCROW_DOMAIN_NAME = 'Tasktree';
export const ESCROW_DOMAIN_VERSION = '2';

/** The members of the EIP-712 domain that both contracts use, in the order of EIP-712. */
export const DOMAIN_MEMBERS = members('string name,string version,uint256 chainId,address verifyingContract');

/** The nested struct of `SubmitQuote`, `SelectAgent`, `FundTask` and `Subcontract`. */
export const NODE_TERMS_MEMBERS = members(
  'uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,' +
    'uint8 maxRevisions,bool hirerFunded,bytes32 termsHash',
);

/**
 * The pinned members of the structs that the kinds of action sign. `CreateTask` and `SelectAgent` never reach the escrow:
 * the service verifies them, and what they say is inside the payment.
 */
export const KIND_TYPES: Readonly<Record<KindPrimaryType, readonly TypedMember[]>> = {
  CreateTask: action('address buyer,address arbiter,address token,uint256 budget,bytes32 termsHash'),
  SubmitQuote: action('NodeTerms terms,address hirer,address arbiter,address token'),
  SelectAgent: action('NodeTerms terms,address token'),
  FundTask: action('NodeTerms terms,address token,uint8 fundingMode'),
  Subcontract: action('NodeTerms terms,address token,uint8 fundingMode'),
  Deliver: action('uint192 nodeId,bytes32 artifactHash,bool payOut'),
  ResolveTask: action('uint192 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash'),
  RejectTask: action('uint192 nodeId,bytes32 artifactHash,bytes32 reasonHash'),
  AbandonNode: action('uint192 nodeId,address token,uint256 amount'),
  ClaimNonDelivery: action('uint192 nodeId,address token,uint256 amount'),
  WithdrawEarnings: action('uint192 nodeId,address recipient,address token,uint256 amount'),
  WithdrawRefund: action('address account,address recipient,address token,uint256 amount'),
  DisputeNode: action('uint192 nodeId,bytes32 evidenceHash'),
};

/**
 * The pinned members of every struct that a wallet signs for the escrow (docs/decisions/escrow.md#signed-actions). Those
 * that are of no kind stand here, so that the approval page does not load them.
 */
export const ESCROW_TYPES: Readonly<Record<EscrowPrimaryType, readonly TypedMember[]>> = /* @__PURE__ */ (() => ({
  ...KIND_TYPES,
  RuleDispute: action('uint192 nodeId,address token,uint256 workerShare,bytes32 rulingHash'),
  AgreeSplit: action('uint192 nodeId,address hirer,address worker,address token,uint256 amount,uint256 workerShare'),
}))();

/** The pinned members of the token's structs. */
export const USDC_TYPES: Readonly<Record<UsdcPrimaryType, readonly TypedMember[]>> = {
  ReceiveWithAuthorization: members(
    'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
  ),
  Permit: members('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'),
};

/** Narrows a text to a primary type of the escrow. */
export function isEscrowPrimaryType(text: string): text is EscrowPrimaryType {
  return Object.hasOwn(ESCROW_TYPES, text);
}

/** Narrows a text to a primary type of the token. */
export function isUsdcPrimaryType(text: string): text is UsdcPrimaryType {
  return Object.hasOwn(USDC_TYPES, text);
}

function action(own: string): readonly TypedMember[] {
  return members(`${own},bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil`);
}

function members(list: string): readonly TypedMember[] {
  return list.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ');
    return { name, type };
  });
}
