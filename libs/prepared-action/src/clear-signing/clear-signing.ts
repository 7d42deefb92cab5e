import type { EscrowPrimaryType, UsdcPrimaryType } from '../typed-data/typed-data-schemas.js';

/**
 * How a value is shown (ERC-7730 v2, formats of fields): those that our messages need. `path` is `raw` for a wallet, which
 * knows no paths.
 */
export type FieldFormat = 'tokenAmount' | 'addressName' | 'date' | 'duration' | 'enum' | 'path' | 'raw';

/** One line of what a wallet shows. */
export interface FieldDisplay {
  /** Path of the member within the message. */
  readonly path: string;
  readonly label: string;
  readonly format: FieldFormat;
  /** True for what only binds the message to its request; a small screen may leave it out. */
  readonly isOptional?: boolean;
}

export interface MessageDisplay {
  readonly intent: string;
  readonly interpolatedIntent: string;
  readonly fields: readonly FieldDisplay[];
}

const NODE = { path: 'nodeId', label: 'Node', format: 'path' } as const;
const AMOUNT = { path: 'amount', label: 'Amount', format: 'tokenAmount' } as const;
const TOKEN = { path: 'token', label: 'Token', format: 'addressName' } as const;
const RECIPIENT = { path: 'recipient', label: 'Goes to', format: 'addressName' } as const;
const ARBITER = { path: 'arbiter', label: 'Arbiter', format: 'addressName' } as const;
const ARTIFACT = { path: 'artifactHash', label: 'Artifact SHA-256', format: 'raw' } as const;
const TERMS_HASH = { label: 'Terms SHA-256', format: 'raw' } as const;
const TERMS: readonly FieldDisplay[] = [
  { path: 'terms.amount', label: 'Price', format: 'tokenAmount' },
  { path: 'terms.worker', label: 'Worker', format: 'addressName' },
  { path: 'terms.floor', label: 'Floor', format: 'tokenAmount' },
  { path: 'terms.workSeconds', label: 'Time to deliver', format: 'duration' },
  { path: 'terms.acceptWindow', label: 'Time to accept', format: 'duration' },
  { path: 'terms.maxRevisions', label: 'Deliveries after a rejection', format: 'raw' },
  { path: 'terms.hirerFunded', label: 'Paid by the hirer’s wallet', format: 'raw' },
  { path: 'terms.nodeId', label: 'Node', format: 'path' },
  { path: 'terms.termsHash', ...TERMS_HASH },
];
const FUNDING_MODE = { path: 'fundingMode', label: 'Paid by', format: 'enum' } as const;
const BINDING: readonly FieldDisplay[] = [
  { path: 'validUntil', label: 'Valid until', format: 'date' },
  { path: 'nonce', label: 'Nonce', format: 'raw' },
  { path: 'actionId', label: 'Action', format: 'raw', isOptional: true },
  { path: 'requestDigest', label: 'Request SHA-256', format: 'raw', isOptional: true },
];

/** Texts of the values of `fundingMode` (Types.sol, `FundingMode`), the only member that is shown as one of a list. */
export const FUNDING_MODE_TEXTS: Readonly<Record<string, string>> = {
  0: 'Allowance of the wallet',
  1: 'Signed payment (EIP-3009)',
  2: 'Permit (EIP-2612)',
  3: 'Refund balance in the escrow',
  4: 'Pay of the job above',
};

/** How this page and wallets show each message of the escrow and the token: its fields in this order. */
export const MESSAGE_DISPLAYS: Readonly<Record<EscrowPrimaryType | UsdcPrimaryType, MessageDisplay>> = {
  CreateTask: display('Publish a task', 'Publish a task of up to {budget}', [
    { path: 'budget', label: 'Budget up to', format: 'tokenAmount' },
    { path: 'buyer', label: 'Buyer', format: 'addressName' },
    ARBITER,
    TOKEN,
    { path: 'termsHash', ...TERMS_HASH },
  ]),
  SubmitQuote: display('Offer to do work', 'Offer to work for {terms.amount}, within {terms.workSeconds}', [
    ...TERMS,
    { path: 'hirer', label: 'Hirer', format: 'addressName' },
    ARBITER,
    TOKEN,
  ]),
  SelectAgent: display('Choose an agent', 'Choose {terms.worker} at {terms.amount}', [...TERMS, TOKEN]),
  FundTask: display('Put money in escrow', 'Put {terms.amount} in escrow for {terms.worker}', [
    ...TERMS,
    FUNDING_MODE,
    TOKEN,
  ]),
  Subcontract: display('Hire for part of a job', 'Hire {terms.worker} for {terms.amount}', [
    ...TERMS,
    FUNDING_MODE,
    TOKEN,
  ]),
  Deliver: display('Deliver work', 'Deliver work for node {nodeId}', [
    ARTIFACT,
    { path: 'payOut', label: 'Paid out at once', format: 'raw' },
    NODE,
  ]),
  ResolveTask: display('Accept work', 'Accept work: {amount} to {worker}', [
    AMOUNT,
    { path: 'worker', label: 'Worker', format: 'addressName' },
    ARTIFACT,
    NODE,
    TOKEN,
  ]),
  RejectTask: display('Reject work', 'Reject the work on node {nodeId}', [
    ARTIFACT,
    { path: 'reasonHash', label: 'Reason SHA-256', format: 'raw' },
    NODE,
  ]),
  AbandonNode: display('Give up a job', 'Give up a job: {amount} goes back', [AMOUNT, NODE, TOKEN]),
  ClaimNonDelivery: display('Return: not delivered', 'Return {amount}: not delivered', [AMOUNT, NODE, TOKEN]),
  WithdrawEarnings: display('Withdraw earnings', 'Withdraw {amount} to {recipient}', [AMOUNT, RECIPIENT, NODE, TOKEN]),
  WithdrawRefund: display('Withdraw a refund', 'Withdraw {amount} to {recipient}', [
    AMOUNT,
    RECIPIENT,
    { path: 'account', label: 'Belongs to', format: 'addressName' },
    TOKEN,
  ]),
  DisputeNode: display('Contest a rejection', 'Contest the rejection of node {nodeId}', [
    { path: 'evidenceHash', label: 'Evidence SHA-256', format: 'raw' },
    NODE,
  ]),
  RuleDispute: display('Rule on a dispute', 'Give the worker {workerShare}', [
    { path: 'workerShare', label: 'To the worker', format: 'tokenAmount' },
    { path: 'rulingHash', label: 'Ruling SHA-256', format: 'raw' },
    NODE,
    TOKEN,
  ]),
  AgreeSplit: display('Agree on a split', 'Split {amount}: {workerShare} to the worker', [
    AMOUNT,
    { path: 'workerShare', label: 'To the worker', format: 'tokenAmount' },
    { path: 'worker', label: 'Worker', format: 'addressName' },
    { path: 'hirer', label: 'Hirer', format: 'addressName' },
    NODE,
    TOKEN,
  ]),
  ReceiveWithAuthorization: {
    intent: 'Pay into escrow',
    interpolatedIntent: 'Pay {value} into escrow',
    fields: [
      { path: 'value', label: 'Amount', format: 'tokenAmount' },
      { path: 'from', label: 'From', format: 'addressName' },
      { path: 'to', label: 'Escrow', format: 'addressName' },
      { path: 'validAfter', label: 'Valid after', format: 'date', isOptional: true },
      { path: 'validBefore', label: 'Valid before', format: 'date' },
      { path: 'nonce', label: 'Paid for (digest)', format: 'raw' },
    ],
  },
  Permit: {
    intent: 'Let the escrow take money',
    interpolatedIntent: 'Let {spender} take {value}',
    fields: [
      { path: 'value', label: 'Amount', format: 'tokenAmount' },
      { path: 'owner', label: 'From', format: 'addressName' },
      { path: 'spender', label: 'Escrow', format: 'addressName' },
      { path: 'deadline', label: 'Valid until', format: 'date' },
      { path: 'nonce', label: 'Nonce', format: 'raw' },
    ],
  },
};

function display(intent: string, interpolatedIntent: string, own: readonly FieldDisplay[]): MessageDisplay {
  return { intent, interpolatedIntent, fields: [...own, ...BINDING] };
}
