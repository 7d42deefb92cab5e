import type {
  ActionStatus,
  Deployment,
  DescriptionFacts,
  Hex,
  PreparedAction,
  TreeParties,
} from '#libs/prepared-action';

/**
 * JSON bodies that the routes below `/sign/{token}` answer with. The file holds types only, so the page's program
 * imports them without any server code.
 */

/** The request that prepared the action, as it was sent. */
export interface OriginatingRequest {
  method: 'POST';
  /** Path below the base URL, such as `/v1/tasks/task_…/funding-intents`. */
  path: string;
  /** Absent: no body was sent. */
  body?: unknown;
}

/** The deployment, with what the page needs to name the chain and to switch a wallet to it. */
export interface ApprovalDeployment extends Deployment {
  chainName: string;
  /** True: nothing here is real money. */
  isTestNetwork: boolean;
  /** URL of a transaction's page in the block explorer, with the placeholder `{hash}`; null: there is no explorer. */
  explorerTransactionUrl: string | null;
  /** RPC endpoint that the page may give a wallet with `wallet_addEthereumChain`; null: none is published. */
  rpcUrlForWallet: string | null;
  nativeCurrency: { name: string; symbol: string; decimals: number };
}

/** Who asked for the action. The name was chosen by the requester and is not trusted. */
export interface ApprovalRequester {
  kind: 'application' | 'key' | 'session';
  name: string;
  /** Host where the application's own metadata document lies; absent: it has none. */
  documentHost?: string;
  /** True: the operator knows that host, so the name needs no warning. */
  isKnown?: boolean;
  /** True: it is a page of this service itself. */
  isOwn?: boolean;
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
    version?: number;
    revisions?: number;
    maxRevisions?: number;
    floor?: string;
    artifactHash?: Hex;
  } | null;
  usdcBalance?: string;
  refundBalance?: string;
  withdrawable?: string;
  permitNonce?: string;
  /** Time of the latest block in unix seconds: a chain's clock may be ahead of all others. */
  blockTime?: number;
  blockNumber?: number;
}

/** GET `document`: everything about the action that the page shows and checks. */
export interface ApprovalDocument {
  action: PreparedAction;
  /** One more sentence of what happens next: what a withdrawal leaves for another one; absent: nothing. */
  next?: string;
  /** Buyer and arbiter that the escrow's address commits to, as in `data-tree`; absent: the task is gone. */
  tree?: TreeParties;
  status: ActionStatus;
  /** Who declined the action; absent: nobody did, or it was not recorded. */
  declined_by?: 'link' | 'wallet' | 'account' | 'credential';
  /** The signature that waits to be sent to the chain; absent: none waits. */
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

/** A call that the wallet sends; `from` is present only where that one wallet must send it. Quantities are 0x-hex. */
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
  /** RFC 3339: the last second at which the chain accepts it. */
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

/** POST `renew` and `link`: a link that works in one browser. A refused request gets an error body like the API's. */
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
  /** Number of the block that holds the transaction; absent until the index has read that block. */
  block?: number;
  /** Number of the first head block at which the action counts as final. */
  final_at_block?: number;
  /** The newest block of the index. */
  head_block?: number;
  /** Path of the receipt's page, the base URL's path included; absent until there is a receipt. */
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
   * `unavailable`: the chain could not be asked, or there is no call to simulate before the signature.
   * `no_transaction`: the action ends with its signature.
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
  /** Path of the preview of the delivery that is accepted or rejected; absent: there is none. */
  delivery?: string;
  /** URL, for wallets, of the service that pays the network's fee of this action (ERC-7677); absent: nobody pays it. */
  paymaster?: string;
  /** Path of the route that issues the challenge by which another browser proves the wallet and takes the link over. */
  challenge: string;
}
