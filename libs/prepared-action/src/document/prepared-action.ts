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
  /** Typed data, with `transaction`, `calls` and `authorizes` where the action has them. */
  payload: Record<string, unknown>;
  signing_url: string;
  /**
   * Words made of the digest, as the approval page shows them (`matchCode`). They are for people: no check uses them.
   */
  match_code?: string;
  /** ISO 8601. */
  expires_at: string;
}

/**
 * What has become of an action (docs/decisions/interface.md#operations, getAction). Open enumeration: a reader must
 * tolerate other values.
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

/** Facts of a deployment that are known before any action of it arrives, and that are never taken from an action. */
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

/** Buyer and arbiter that a tree's escrow commits to. */
export interface TreeParties {
  buyer: string;
  /** The zero address for none. */
  arbiter: string;
}

/**
 * Values of members that the caller knows from elsewhere. Integers of any width as bigint, number or decimal text;
 * nested as in the struct.
 */
export interface ExpectedMembers {
  readonly [name: string]: string | number | bigint | boolean | ExpectedMembers;
}

/** The request that an action must answer, from the caller's own records. */
export interface Intent {
  kind: string;
  principal: string;
  /** Absent: no wallet is known yet. */
  wallet?: string;
  taskId?: string;
  nodeId?: string;
  /** Body of the request, before it was written as JSON; undefined: it had none. */
  body?: unknown;
  /** Members of the escrow's own message; absent members are not compared. */
  expects?: ExpectedMembers;
  /** Address of the escrow, when the caller knows it from elsewhere. */
  escrow?: string;
  /**
   * The tree's parties, when the caller knows them from elsewhere: the escrow's address follows from them and the task.
   */
  tree?: TreeParties;
  /** The EIP-712 digest that was shown elsewhere. */
  digest?: string;
}

/** A node as a blockchain node reports it (libs/contracts, `StoredNode`). Base units; times in unix seconds. */
export interface NodeReading {
  /** `NodeState` of the contract: 1 funded, 2 delivered, … */
  state: number;
  /** Transitions so far, which every signature about the node names. */
  version?: number;
  /** Deliveries after a rejection so far, and how many the terms allow. */
  revisions?: number;
  maxRevisions?: number;
  /** The most that may be promised to helpers, and the worker's share if the arbiter is silent. */
  floor?: bigint;
  amount: bigint;
  worker: Hex;
  /** False: the node is paid out of the one above. */
  hirerFunded?: boolean;
  allocated?: bigint;
  /** What of `allocated` comes back by the finalizations that the transaction of the action makes before its own call. */
  returned?: bigint;
  deliverBy?: number;
  /** Last second of the right that the state gives. */
  clock?: number;
  artifactHash?: Hex;
}

/**
 * What one blockchain node says. A member is absent when the node did not tell it, or when it does not matter for this
 * action.
 */
export interface ChainReading {
  source: 'wallet' | 'service';
  chainId?: number;
  /**
   * `clone`: a clone of the pinned implementation for this very task; `undeployed_ours`: no code yet, at the address
   * where the factory will put that clone; `foreign`: another contract.
   */
  escrow?: 'clone' | 'undeployed_ours' | 'foreign';
  nonceUsed?: boolean;
  /** Null: the tree has no such node. */
  node?: NodeReading | null;
  /** USDC of the wallet that signs, base units. */
  usdcBalance?: bigint;
  /** Refund balance of the wallet in the tree, base units. */
  refundBalance?: bigint;
  /** Base units that the node's worker can withdraw now. */
  withdrawable?: bigint;
  /** The wallet's next EIP-2612 nonce. */
  permitNonce?: bigint;
  /** Time of the latest block, unix seconds. */
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
  /** The statement that is true when the check passes. */
  title: string;
  status: CheckStatus;
  /** What the check found, in one line. */
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
  /** What the reader can lose or fail to get although it does its own part in time, whatever the others do. */
  worstCase: string;
  /** What becomes of the money where none enters or leaves a wallet; absent: some does. */
  settles?: string;
}

/**
 * Facts that the typed data does not hold. Names and titles are other people's words. Only the time is always there.
 */
export interface DescriptionFacts {
  nowMs: number;
  taskTitle?: string;
  /** The agent that works on the node. */
  agentName?: string;
  /** Who hired for the node, when that is not the reader. */
  hirerName?: string;
  /** Unix seconds: the node's deadline; absent before the node has its money. */
  deliverBy?: number;
  /** Seconds that the node's hirer has to accept or reject a delivery. */
  acceptWindowSeconds?: number;
  /** State of the node, as `NODE_STATES` names it. */
  nodeState?: string;
  /** Base units, decimal: what the node holds. */
  nodeAmount?: string;
  /** Base units, decimal: the part of `nodeAmount` that is not promised to others. */
  unallocated?: string;
  /** Base units, decimal: what the worker gets when the arbiter is silent, and the most that it may promise to others. */
  floor?: string;
  /** How often the worker may still deliver again after a rejection. */
  revisionsLeft?: number;
  /** True: the newest delivery asked for payment to the worker's own wallet as soon as the node is settled. */
  payOut?: boolean;
  /** True: the worker is paid only when the node above is accepted, too. Absent: not known. */
  hangsOnParent?: boolean;
  /** Nodes hired under this one that still live. */
  subcontracts?: number;
  /** Whether the tree has an arbiter; absent: not known. */
  hasArbiter?: boolean;
  /** Address of the tree's arbiter, zero for none; absent: not known. */
  arbiter?: string | undefined;
  /** What the worker will be told of a rejection. */
  rejectionReason?: string;
}

/** One line of what a wallet shows. */
export interface ShownField {
  label: string;
  /** For people: "250.00 USDC". */
  value: string;
  /** The value as it is in the message. */
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
