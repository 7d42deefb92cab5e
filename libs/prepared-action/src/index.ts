export type { Hex } from '#libs/notation';
export {
  type ActionKind,
  holdsOnceSigned,
  isActionKind,
  KINDS,
  NODE_STATES,
  type NodeCondition,
  ruleOf,
  SPECIFIED_KINDS,
} from './typed-data/action-kinds.js';
export { withoutTransaction } from './description/action-sentences.js';
export { CHAIN_VIEWS, chainQueries, NODE_MEMBERS, readingFrom, readNode } from './chain-reading/chain-queries.js';
export { confirmedFacts } from './description/confirmed-facts.js';
export { describeAction } from './description/describe-action.js';
export { checksumOf, escrowAddressOf, isAddressText, sameAddress, ZERO_ADDRESS } from './document/evm-address.js';
export { keccakText, requestDigestOf, sha256Hex } from './hashing/hashing.js';
export { matchCode } from './match-code/match-code.js';
export type * from './document/prepared-action.js';
export { readingFromJson, readingToJson } from './chain-reading/chain-reading-json.js';
export { shownFields } from './clear-signing/shown-fields.js';
export { durationText, quoted, timeText, usdcText } from './document/shown-text.js';
export { verifySignedCall } from './checks/signed-call.js';
export { hashTypedData } from './typed-data/typed-data-hash.js';
export {
  type ActionFields,
  DOMAIN_MEMBERS,
  ESCROW_DOMAIN_NAME,
  ESCROW_DOMAIN_VERSION,
  ESCROW_TYPES,
  type EscrowMessages,
  type EscrowPrimaryType,
  isEscrowPrimaryType,
  isUsdcPrimaryType,
  NODE_TERMS_MEMBERS,
  type NodeTerms,
  type TypedMember,
  USDC_TYPES,
  type UsdcMessages,
  type UsdcPrimaryType,
} from './typed-data/typed-data-schemas.js';
export { isSignable, verifyPreparedAction } from './checks/verify.js';
export { expectedByRequest } from './checks/request-expectations.js';
// For what stands in for a market in tests.
export { conditionFault } from './checks/check-state.js';
export { WAYS_TO_PAY } from './checks/check-typed-data.js';
export { escrowCodeOf } from './document/evm-address.js';
export type { Argument } from './typed-data/call-data.js';
export { encodeCall } from './typed-data/call-encoding.js';
