export { EMPTY_REQUEST_DIGEST, jcs, lengthPrefixedHash, requestDigest, sha256 } from './digest.js';
export { BYTES32_PATTERN, bytesToHex, EVM_ADDRESS_PATTERN, type Hex, hexToBytes, isHex } from './evm.js';
export { type IdPrefix, IDENTIFIER_PATTERN, idTime, isIdentifier, newId, nodeIdOf } from './identifier.js';
export {
  formatUsdc,
  MAX_USDC_UNITS,
  type MoneyJson,
  moneyJson,
  parsePositiveUsdc,
  parseUsdc,
  USDC_DECIMALS,
} from './money.js';
export { hidesText, stripControls } from './text.js';
