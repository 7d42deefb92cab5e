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
  MAX_USDC_UNITS,
  type MoneyJson,
  moneyJson,
  nodeIdOf,
  parsePositiveUsdc,
  parseUsdc,
  stripControls,
  USDC_DECIMALS,
} from '#libs/notation';
export { EMPTY_REQUEST_DIGEST, lengthPrefixedHash, requestDigest, sha256 } from './digest.js';
export { type IdPrefix, idTime, newId } from './identifier.js';
