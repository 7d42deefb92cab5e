import type {
  ActionStatus,
  Deployment,
  DescriptionFacts,
  Hex,
  PreparedAction,
  TreeParties,
} from '#libs/prepared-action';

/**
 * What the routes below `/sign/{token}` answer as JSON. Types only: the page's program imports them, and nothing of the
 * server comes along.
 */

/** The request that prepared the action, as it was asked. */
export interface OriginatingRequest {
  method: 'POST';
  /** Path without the base URL's, such as `/v1/tasks/task_…/funding-intents`. */
  path: string;
  /** Absent: no body was sent. */
  body?: unknown;
}

/** The deployment, and what a page needs to talk about it and to lead a wallet to it. */
export interface ApprovalDeployment extends Deployment {
  chainName: string;
  /** True: nothing here is real money. */
  isTestNetwork: boolean;
  /** Address of a transaction's page with `{hash}` in it; null where there is no explorer. */
  explorerTransactionUrl: string | null;
  /** Endpoint that a wallet may be given with `wallet_addEthereumChain`; null: none is published. */
  rpcUrlForWallet: string | null;
  nativeCurrency: { name: string; symbol: string; decimals: number };
}

/** Who asked for the action. Names are other people's text. */
export interface ApprovalRequester {
  kind: 'application' | 'key' | 'session';
  name: string;
  /** Host where the application's own metadata document lies; absent: it has none. */
  documentHost?: string;
  /** True: the operator knows that host, so the name needs no warning. */
  isKnown?: boolean;
}

/** `ChainReading` with its amounts as decimal strings. */
export interface ServiceReading {
  source: 'service';
  chainId?: number;
  escrow?: 'clone' | 'undeployed_ours' | 'foreign';
  nonceUsed?: boolean;
  node?: {
    state: number;
    amount: string;
    worker: Hex;
    allocated?: string;
    deliverBy?: number;
    clock?: number;
    artifactHash?: Hex;
  } | null;
  usdcBalance?: string;
  refundBalance?: string;
  withdrawable?: string;
  permitNonce?: string;
  /** Of the latest block, unix seconds: a chain's clock may be ahead of everybody else's. */
  blockTime?: number;
  blockNumber?: number;
}

/** GET `document`: everything about the action that the page shows and checks. */
export interface ApprovalDocument {
  action: PreparedAction;
  /** Whom the task's escrow commits to, as in `data-tree`; absent: the task is gone. */
  tree?: TreeParties;
  status: ActionStatus;
  /** Of a declined action: who said no; absent: that was not written down. */
  declined_by?: 'link' | 'wallet' | 'account';
  /** What was signed and waits to be sent; absent: nothing does. */
  signed?: SignedPart;
  transaction_hash?: string;
  /** Null: the action is older than the record of requests, so its digest cannot be recomputed. */
  request: OriginatingRequest | null;
  deployment: ApprovalDeployment;
  facts: DescriptionFacts;
  requester: ApprovalRequester;
  /** RFC 3339. */
  asked_at: string;
  service_reading: ServiceReading;
}

/** A call that the wallet sends; `from` only where it must be that wallet. Quantities are 0x-hex. */
export interface ReadyCall {
  to: Hex;
  data: Hex;
  value: string;
  chainId: string;
  from?: Hex;
}

/** A signature that was handed in, and the call that takes it to the chain. */
export interface SignedPart {
  signature: Hex;
  transaction: ReadyCall;
  /** RFC 3339: the last second at which the chain takes it. */
  valid_until: string;
}

/** POST `submission`. */
export interface SubmissionAnswer {
  status: ActionStatus;
  transaction_hash?: string;
  /** Absent: nothing more is to be sent. */
  transaction?: ReadyCall;
}

/** POST `decline`. */
export interface DeclineAnswer {
  status: ActionStatus;
}

/** POST `renew` and `link`: a link that is good for one browser. A refusal is an error of the interface's shape. */
export interface LinkAnswer {
  signing_url: string;
  /** RFC 3339. */
  expires_at: string;
  /** The link as a picture for a camera; POST `link` only. */
  qr?: QrDrawing;
}

/** A picture of black modules: `viewBox` and the `d` of one path. */
export interface QrDrawing {
  viewBox: string;
  path: string;
}

/** GET `progress`. */
export interface ProgressAnswer {
  status: ActionStatus;
  transaction_hash?: string;
  /** Block of the transaction, once it is in one that the index has read. */
  block?: number;
  /** The block from which on the action is final. */
  final_at_block?: number;
  /** The newest block of the index. */
  head_block?: number;
  /** Where the receipt is shown, once there is one; with the base URL's path. */
  receipt_path?: string;
}

/** One wallet's USDC before and after, in base units as decimal strings; `change` has a sign. */
export interface BalanceChange {
  wallet: Hex;
  /** `wallet`: the one that signs; `escrow`: the task's; `other`: anyone else the call pays. */
  label: 'wallet' | 'escrow' | 'other';
  before: string;
  after: string;
  change: string;
}

/** GET `simulation`: what the action would do on the chain's latest state. */
export interface SimulationAnswer {
  /**
   * `unavailable`: the chain could not be asked, or there is no call before the signature. `no_transaction`: the signature
   * is all there is to do.
   */
  source: 'eth_simulateV1' | 'eth_call' | 'unavailable' | 'no_transaction';
  balances: BalanceChange[];
  would_revert: { reason: string } | null;
  /** `units` of gas and `eth` in wei, as decimal strings. */
  gas: { units: string; eth: string } | null;
  block: number | null;
}

/** Paths of the routes of one link, with the base URL's path: `data-paths`. */
export interface ApprovalPaths {
  document: string;
  submission: string;
  decline: string;
  renew: string;
  link: string;
  progress: string;
  simulation: string;
  /** Leads to the preview of the delivery that is accepted or rejected; absent: there is none. */
  delivery?: string;
  /** Answers of the takeover proof. */
  challenge: string;
}
