export { jcs } from './canonical-json.js';
export { BYTES32_PATTERN, bytesToHex, EVM_ADDRESS_PATTERN, type Hex, hexToBytes, isHex } from './evm.js';
export { IDENTIFIER_PATTERN, isIdentifier, nodeIdOf, nodePathOf } from './identifier.js';
export {
  AMOUNT_PATTERN,
  formatUsdc,
  MAX_AMOUNT_LENGTH,
  MAX_REQUESTED_UNITS,
  MAX_USDC_UNITS,
  type MoneyJson,
  moneyJson,
  parsePositiveUsdc,
  parseUsdc,
  POSITIVE_AMOUNT_PATTERN,
  USDC_DECIMALS,
} from './money.js';
export { FIRST_WITHDRAWAL_NONCE, NODE_VERSION_BITS, nodeNonceParts } from './node-nonce.js';
export {
  childPath,
  isNodePath,
  isRootPath,
  MAX_LEVELS,
  MAX_NODE_INDEX,
  parentPath,
  pathIndex,
  pathLevel,
  pathText,
  readPathText,
} from './node-path.js';
export { escapeUnseen, hidesText, markedLine, markHidden, markUnseen, stripControls } from './text.js';
