export {
  BYTES32_PATTERN,
  bytesToHex,
  EVM_ADDRESS_PATTERN,
  formatUsdc,
  type Hex,
  hexToBytes,
  hidesText,
  IDENTIFIER_PATTERN,
  isHex,
  isIdentifier,
  jcs,
  markedLine,
  markHidden,
  MAX_AMOUNT_LENGTH,
  MAX_REQUESTED_UNITS,
  MAX_USDC_UNITS,
  type MoneyJson,
  moneyJson,
  nodeIdOf,
  parsePositiveUsdc,
  parseUsdc,
  POSITIVE_AMOUNT_PATTERN,
  stripControls,
  USDC_DECIMALS,
} from '#libs/notation';
export { EMPTY_REQUEST_DIGEST, requestDigest } from './request-digest.js';
export { lengthPrefixedHash, sha256 } from './byte-digest.js';
export { firstIdAt, type IdPrefix, idTime, newId } from './timed-identifier.js';
