export type { Hex } from '#libs/notation';
export { type ActionKind, holdsOnceSigned, isActionKind, ruleOf, SPECIFIED_KINDS } from './action-kinds.js';
export { withoutTransaction } from './action-sentences.js';
export { chainQueries, readingFrom } from './chain-queries.js';
export { describeAction } from './describe-action.js';
export { checksumOf, escrowAddressOf, isAddressText, sameAddress } from './evm-address.js';
export { requestDigestOf } from './hashing.js';
export { matchCode } from './match-code.js';
export type * from './prepared-action.js';
export { readingFromJson, readingToJson } from './chain-reading-json.js';
export { shownFields } from './shown-fields.js';
export { durationText, quoted, timeText, usdcText } from './shown-text.js';
export { verifySignedCall } from './signed-call.js';
export { hashTypedData } from './typed-data-hash.js';
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
} from './typed-data-schemas.js';
export { isSignable, verifyPreparedAction } from './verify.js';
