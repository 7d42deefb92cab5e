import type { Hex } from '#libs/notation';

/** The envelope as it is on the wire (docs/decisions/interface.md#prepared-actions). */
export interface PreparedAction {
  action_id: string;
  /** Open enumeration: what this library does not know is never signable. */
  kind: string;
  principal: string;
  wallet_address?: string;
  task_id?: string;
  node_id?: string;
  /** EIP-155. */
  chain_id: number;
  escrow_address: string;
  /** Decimal integer. */
  nonce: string;
  request_digest: string;
  /** Typed data, and what came along with it (`transaction`, `calls`, `authorizes`). */
  payload: Record<string, unknown>;
  signing_url: string;
  /** Words made of the digest, as the approval page shows them (`matchCode`). For people; nothing is checked by it. */
  match_code?: string;
  /** ISO 8601. */
  expires_at: string;
}

/**
 * What has become of an action (docs/decisions/interface.md#operations, getAction). Open enumeration: who reads it
 * tolerates others.
 */
export type ActionStatus =
  | 'prepared'
  | 'opened'
  | 'signed'
  | 'submitted'
  | 'confirmed'
  | 'final'
  | 'declined'
  | 'expired'
  | 'superseded'
  | 'failed'
  | 'unknown';

/** What is known of a deployment before any action of it arrives; never taken from the action itself. */
export interface Deployment {
  chainId: number;
  factory: Hex;
  implementation: Hex;
  usdc: Hex;
  /** The token's EIP-712 name and version. */
  usdcName: string;
  usdcVersion: string;
  /** Longest life of a prepared action, seconds. */
  maxActionSeconds: number;
  /** Origin of every signing URL, such as `https://market.example`. */
  signingOrigin: string;
}

/** Who a tree's escrow commits to. */
export interface TreeParties {
  buyer: string;
  /** The zero address for none. */
  arbiter: string;
}

/** Members that are known otherwise. Integers of any width as bigint, number or decimal text; nested as in the struct. */
export interface ExpectedMembers {
  readonly [name: string]: string | number | bigint | boolean | ExpectedMembers;
}

/** What was asked for, from the caller's own records. */
export interface Intent {
  kind: string;
  principal: string;
  /** Absent: no wallet is known yet. */
  wallet?: string;
  taskId?: string;
  nodeId?: string;
  /** As it was sent, before JSON; undefined: no body was. */
  body?: unknown;
  /** Members of the escrow's own message; absent members are not compared. */
  expects?: ExpectedMembers;
  /** The escrow, when it is known otherwise. */
  escrow?: string;
  /** The tree's parties, when they are known otherwise: the escrow's address follows from them and the task. */
  tree?: TreeParties;
  /** The EIP-712 digest that was shown elsewhere. */
  digest?: string;
}

/** A node as a blockchain node reports it (libs/contracts, `StoredNode`). Base units; times in unix seconds. */
export interface NodeReading {
  /** `NodeState` of the contract: 1 selected, 2 funded, 3 delivered, … */
  state: number;
  amount: bigint;
  worker: Hex;
  allocated?: bigint;
  deliverBy?: number;
  /** Last second of what the state waits for. */
  clock?: number;
  artifactHash?: Hex;
}

/** What one blockchain node says. An absent member could not be asked, or says nothing for this action. */
export interface ChainReading {
  source: 'wallet' | 'service';
  chainId?: number;
  /** Clone of the pinned implementation for this very task; not deployed yet but derived from it; or neither. */
  escrow?: 'clone' | 'undeployed_ours' | 'foreign';
  nonceUsed?: boolean;
  /** Null: the tree has no such node. */
  node?: NodeReading | null;
  /** Of the wallet that signs, base units. */
  usdcBalance?: bigint;
  /** What came back to the wallet within the tree, base units. */
  refundBalance?: bigint;
  /** What the node gives its worker now, base units. */
  withdrawable?: bigint;
  /** The wallet's next EIP-2612 nonce. */
  permitNonce?: bigint;
  /** Of the latest block, unix seconds. */
  blockTime?: number;
  blockNumber?: number;
}

/** Where and when a check runs. */
export interface Context {
  deployment: Deployment;
  nowMs: number;
  /** The account that the wallet shows. Absent: none is connected yet. */
  connectedWallet?: string;
  readings: readonly ChainReading[];
}

export type CheckNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
export type CheckStatus = 'passed' | 'failed' | 'unknown';

/** One of the fifteen rows (docs/decisions/interface.md#fifteen-checks). */
export interface Check {
  number: CheckNumber;
  /** Stable, for programs. */
  name: string;
  /** What it says when it holds. */
  title: string;
  status: CheckStatus;
  /** What was found, one line. */
  detail: string;
}

/** A call as a wallet sends it, or as the service returns it for a signature. */
export interface ProposedCall {
  to: string;
  data: string;
  /** Present: only this account may send it. */
  from?: string;
  value?: string;
  chainId?: string | number;
}

export type Tone = 'neutral' | 'outgoing' | 'incoming' | 'commitment' | 'dispute' | 'irreversible';

/** What signing does, in words. */
export interface Description {
  sentence: string;
  tone: Tone;
  /** What happens next, also if nobody acts. */
  next: string[];
  /** Text of the box that has to be ticked first; null: none. */
  mustConfirm: string | null;
  /** Base units that move or are promised. */
  amount?: bigint;
  /** What becomes of money that enters or leaves no wallet; absent: some does. */
  settles?: string;
}

/** What is known beside the typed data. Names and titles are other people's words. All may be absent but the time. */
export interface DescriptionFacts {
  nowMs: number;
  taskTitle?: string;
  /** The agent that works on the node. */
  agentName?: string;
  /** Who hired for the node, when that is not the reader. */
  hirerName?: string;
  /** Unix seconds: the node's deadline. */
  deliverBy?: number;
  /** Of the node. */
  acceptWindowSeconds?: number;
  /** Base units, decimal: what the node holds. */
  nodeAmount?: string;
  /** Base units, decimal: what of it is not promised to others. */
  unallocated?: string;
  /** True: the worker is paid only when the node above is accepted, too. Absent: not known. */
  hangsOnParent?: boolean;
  /** Nodes hired under this one that still live. */
  subcontracts?: number;
  /** Whether the tree has an arbiter; absent: not known. */
  hasArbiter?: boolean;
  /** What the worker will be told of a rejection. */
  rejectionReason?: string;
}

/** One line of what a wallet shows. */
export interface ShownField {
  label: string;
  /** For people: "250.00 USDC". */
  value: string;
  /** As it is in the message. */
  raw: string;
  /** Path within the message, such as `terms.amount`. */
  name: string;
}

/** The three hashes of EIP-712. */
export interface TypedDataHashes {
  domainHash: Hex;
  messageHash: Hex;
  /** What a wallet signs. */
  digest: Hex;
}

/** A question to a blockchain node, as EIP-1193 puts it. */
export interface ChainQuery {
  name: string;
  method: 'eth_chainId' | 'eth_getCode' | 'eth_call' | 'eth_getBlockByNumber';
  params: readonly unknown[];
}
