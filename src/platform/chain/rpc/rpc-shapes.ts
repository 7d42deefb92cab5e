import { checksumAddress } from '#libs/contracts';
import { BYTES32_PATTERN, type Hex, isHex } from '#libs/kernel';

/** The members of a block that the index needs. */
export interface BlockHeader {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Unix seconds. */
  timestamp: number;
}

/** One event as a contract emitted it. */
export interface ChainLog {
  /** EIP-55 address of the contract. */
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  blockNumber: number;
  blockHash: Hex;
  transactionHash: Hex;
  /** Place in the block, over all its transactions. */
  logIndex: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** An answer of the endpoint that is not what the method promises. */
export class RpcShapeError extends Error {
  override readonly name = 'RpcShapeError';
}

/** A block as `eth_getBlockByNumber` gives it; null for a block that does not exist (yet). Throws RpcShapeError. */
export function readHeader(answer: unknown): BlockHeader | null {
  if (answer === null) return null;
  const block = fieldsIn(answer);
  return {
    number: readCount(block.number),
    hash: bytes32(block.hash),
    parentHash: bytes32(block.parentHash),
    timestamp: readCount(block.timestamp),
  };
}

/** The events in an answer of `eth_getLogs`, in chain order. Throws RpcShapeError, also for logs marked as removed. */
export function readLogs(answer: unknown): ChainLog[] {
  return listIn(answer)
    .map(readLog)
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** Where a transaction was mined, and whether it did anything. */
export interface TransactionReceipt {
  blockNumber: number;
  succeeded: boolean;
}

/** A receipt as `eth_getTransactionReceipt` gives it; null while the transaction is in no block. Throws RpcShapeError. */
export function readReceipt(answer: unknown): TransactionReceipt | null {
  if (answer === null) return null;
  const receipt = fieldsIn(answer);
  return { blockNumber: readCount(receipt.blockNumber), succeeded: readCount(receipt.status) === 1 };
}

/** The data of a transaction as `eth_getTransactionByHash` gives it; null when it is not known. Throws RpcShapeError. */
export function readTransactionData(answer: unknown): Hex | null {
  return answer === null ? null : readData(fieldsIn(answer).input);
}

/** A QUANTITY up to 2^53 − 1. Throws RpcShapeError. */
export function readCount(value: unknown): number {
  const count = typeof value === 'string' && /^0x[0-9a-f]{1,14}$/i.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw new RpcShapeError('Not a quantity');
  return count;
}

/** A QUANTITY of up to 256 bits. Throws RpcShapeError. */
export function readQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw new RpcShapeError('Not a quantity');
  return BigInt(value);
}

/** DATA of whole bytes. Throws RpcShapeError. */
export function readData(value: unknown): Hex {
  if (typeof value !== 'string' || !isHex(value)) throw new RpcShapeError('Not data');
  return value;
}

function readLog(answer: unknown): ChainLog {
  const log = fieldsIn(answer);
  if (log.removed === true) throw new RpcShapeError('A removed log');
  return {
    address: checksumAddress(readData(log.address)),
    topics: listIn(log.topics).map(bytes32),
    data: readData(log.data),
    blockNumber: readCount(log.blockNumber),
    blockHash: bytes32(log.blockHash),
    transactionHash: bytes32(log.transactionHash),
    logIndex: readCount(log.logIndex),
  };
}

/** Lower case, so that hashes compare as text. */
function bytes32(value: unknown): Hex {
  const lower = typeof value === 'string' ? value.toLowerCase() : '';
  if (!isBytes32(lower)) throw new RpcShapeError('Not 32 bytes');
  return lower;
}

/** The members of an object. Throws RpcShapeError. */
export function fieldsIn(value: unknown): Fields {
  if (!isObject(value)) throw new RpcShapeError('Not an object');
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isBytes32(text: string): text is Hex {
  return BYTES32_PATTERN.test(text);
}

/** The entries of a list. Throws RpcShapeError. */
export function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RpcShapeError('Not a list');
  return value;
}
