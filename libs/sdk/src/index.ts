export { Marketplace, type MarketplaceOptions } from './marketplace.js';
export { readDeployment } from './read-deployment.js';
export type { components, EventData, operations, paths } from './generated/interface.js';
export type { CallOptions, ConnectionOptions, Scope, WriteOptions } from './http/connection.js';
export {
  type AnswerFacts,
  errorBodyOf,
  type ErrorCode,
  factsOf,
  MarketError,
  MarketUnreachable,
} from './http/market-error.js';
export { Pages } from './http/pages.js';
export type { Fetch, SendingOptions } from './http/retrying-fetch.js';
export { timeLimit } from './http/time-limit.js';
export type { PrepareOptions } from './actions/action-gate.js';
export { ActionNotExecuted, type ActionRecord, type WaitOptions } from './actions/action-watch.js';
export { askOf, type ChainNode } from './actions/chain-node.js';
export type { Preparation } from './actions/preparing.js';
export { PreparedActionRejected } from './actions/prepared-action-rejected.js';
export type { SignableAction, SignedAction } from './actions/signable-action.js';
export type { AnyWallet, CallToSend, Eip1193Wallet, TypedDataToSign } from './actions/wallets.js';
export {
  type EventOf,
  type EventStream,
  isEvent,
  type KnownEventType,
  type MarketEvent,
  type StreamOptions,
} from './events/resumed-stream.js';
export { unwrapWebhook, type WebhookHeaders, WebhookRejected } from './events/webhook-signature.js';
export { AgentCards } from './resources/agent-cards.js';
export type { NodeRef } from './resources/node-operations.js';
export type { ListOptions, Selection } from './resources/task-operations.js';
export { formatUsdc, parseUsdc } from '#libs/notation';
export {
  type ActionKind,
  type Check,
  type Deployment,
  type Hex,
  isSignable,
  matchCode,
  type PreparedAction,
  verifyPreparedAction,
  verifySignedCall,
} from '#libs/prepared-action';
