import { BYTES32_PATTERN, EVM_ADDRESS_PATTERN, type Hex, isHex, isNodePath } from '#libs/kernel';
import { type FundingMode, type Outcome, toFundingMode, toOutcome } from './node-states.js';

/**
 * What one event of the factory or of a tree's escrow says (docs/decisions/escrow.md#events). Addresses are EIP-55
 * checksummed, amounts (base units), nonces and node ids (paths) bigint, times (unix seconds) numbers. `CallSkipped` is
 * none: it says that nothing happened.
 */
export type EscrowFact =
  | { type: 'TreeCreated'; treeId: Hex; escrow: Hex; buyer: Hex; arbiter: Hex }
  | {
      type: 'NodeFunded';
      nodeId: bigint;
      worker: Hex;
      payer: Hex;
      amount: bigint;
      floor: bigint;
      deliverBy: number;
      acceptWindow: number;
      maxRevisions: number;
      hirerFunded: boolean;
      mode: FundingMode;
      termsHash: Hex;
    }
  | { type: 'NodeDelivered'; nodeId: bigint; artifactHash: Hex; acceptBy: number; payOut: boolean }
  | { type: 'NodeRejected'; nodeId: bigint; reasonHash: Hex; contestBy: number }
  | { type: 'NodeDisputed'; nodeId: bigint; evidenceHash: Hex; ruleBy: number }
  | { type: 'NodeSettled'; nodeId: bigint; workerShare: bigint; hirerShare: bigint; outcome: Outcome }
  | { type: 'NodeRefunded'; nodeId: bigint; amount: bigint; outcome: Outcome }
  | { type: 'EarningsWithdrawn'; nodeId: bigint; worker: Hex; recipient: Hex; amount: bigint }
  | { type: 'RefundWithdrawn'; account: Hex; recipient: Hex; amount: bigint }
  | { type: 'ActionConsumed'; actionId: Hex; signer: Hex; nonce: bigint; requestDigest: Hex }
  | { type: 'NoncesInvalidated'; signer: Hex; word: bigint; mask: bigint };

export type EscrowFactType = EscrowFact['type'];
export type EscrowFactOf<T extends EscrowFactType> = Extract<EscrowFact, { type: T }>;

/** A fact as JSON: bigint members as decimal strings, everything else as it is. Fits a jsonb column. */
export type FactJson = Record<string, string | number | boolean>;

/** Gives the members of one fact by name; every method throws TypeError when the member does not fit. */
export interface MemberReader {
  bytes32(name: string): Hex;
  address(name: string): Hex;
  /** Any uint256. */
  amount(name: string): bigint;
  /** An unsigned integer up to 2^53 − 1: seconds, enumerations. */
  count(name: string): number;
  flag(name: string): boolean;
}

const READERS: { [T in EscrowFactType]: (read: MemberReader) => EscrowFactOf<T> } = {
  TreeCreated: (read) => ({
    type: 'TreeCreated',
    treeId: read.bytes32('treeId'),
    escrow: read.address('escrow'),
    buyer: read.address('buyer'),
    arbiter: read.address('arbiter'),
  }),
  NodeFunded: (read) => ({
    type: 'NodeFunded',
    nodeId: readPath(read),
    worker: read.address('worker'),
    payer: read.address('payer'),
    amount: read.amount('amount'),
    floor: read.amount('floor'),
    deliverBy: read.count('deliverBy'),
    acceptWindow: read.count('acceptWindow'),
    maxRevisions: read.count('maxRevisions'),
    hirerFunded: read.flag('hirerFunded'),
    mode: toFundingMode(read.count('mode')),
    termsHash: read.bytes32('termsHash'),
  }),
  NodeDelivered: (read) => ({
    type: 'NodeDelivered',
    nodeId: readPath(read),
    artifactHash: read.bytes32('artifactHash'),
    acceptBy: read.count('acceptBy'),
    payOut: read.flag('payOut'),
  }),
  NodeRejected: (read) => ({
    type: 'NodeRejected',
    nodeId: readPath(read),
    reasonHash: read.bytes32('reasonHash'),
    contestBy: read.count('contestBy'),
  }),
  NodeDisputed: (read) => ({
    type: 'NodeDisputed',
    nodeId: readPath(read),
    evidenceHash: read.bytes32('evidenceHash'),
    ruleBy: read.count('ruleBy'),
  }),
  NodeSettled: (read) => ({
    type: 'NodeSettled',
    nodeId: readPath(read),
    workerShare: read.amount('workerShare'),
    hirerShare: read.amount('hirerShare'),
    outcome: toOutcome(read.count('outcome')),
  }),
  NodeRefunded: (read) => ({
    type: 'NodeRefunded',
    nodeId: readPath(read),
    amount: read.amount('amount'),
    outcome: toOutcome(read.count('outcome')),
  }),
  EarningsWithdrawn: (read) => ({
    type: 'EarningsWithdrawn',
    nodeId: readPath(read),
    worker: read.address('worker'),
    recipient: read.address('recipient'),
    amount: read.amount('amount'),
  }),
  RefundWithdrawn: (read) => ({
    type: 'RefundWithdrawn',
    account: read.address('account'),
    recipient: read.address('recipient'),
    amount: read.amount('amount'),
  }),
  ActionConsumed: (read) => ({
    type: 'ActionConsumed',
    actionId: read.bytes32('actionId'),
    signer: read.address('signer'),
    nonce: read.amount('nonce'),
    requestDigest: read.bytes32('requestDigest'),
  }),
  NoncesInvalidated: (read) => ({
    type: 'NoncesInvalidated',
    signer: read.address('signer'),
    word: read.amount('word'),
    mask: read.amount('mask'),
  }),
};

/** The escrow opens a node only below one that is there, so that every id it names is a path. */
function readPath(read: MemberReader): bigint {
  const path = read.amount('nodeId');
  if (!isNodePath(path)) throw misfit('nodeId');
  return path;
}

/** Every type of fact. */
export const FACT_TYPES: readonly EscrowFactType[] = Object.keys(READERS).filter(isFactType);

/** The fact of this type from its members. Throws TypeError or RangeError when a member does not fit. */
export function readFact(type: EscrowFactType, members: MemberReader): EscrowFact {
  return READERS[type](members);
}

/** The JSON form of a fact. */
export function factToJson(fact: EscrowFact): FactJson {
  const json: FactJson = {};
  for (const [name, value] of Object.entries<string | number | boolean | bigint>(fact)) {
    json[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return json;
}

/** The fact of a JSON form that `factToJson` made. Throws TypeError or RangeError on anything else. */
export function factFromJson(json: Readonly<Record<string, unknown>>): EscrowFact {
  const type = json.type;
  if (!isFactType(type)) throw new TypeError('Not the type of an escrow fact');
  return readFact(type, new JsonMembers(json));
}

function isFactType(value: unknown): value is EscrowFactType {
  return typeof value === 'string' && Object.hasOwn(READERS, value);
}

class JsonMembers implements MemberReader {
  constructor(private readonly json: Readonly<Record<string, unknown>>) {}

  bytes32(name: string): Hex {
    return this.hex(name, BYTES32_PATTERN);
  }

  address(name: string): Hex {
    return this.hex(name, EVM_ADDRESS_PATTERN);
  }

  amount(name: string): bigint {
    const value = this.json[name];
    if (typeof value !== 'string' || !/^[0-9]{1,78}$/.test(value)) throw misfit(name);
    return BigInt(value);
  }

  count(name: string): number {
    const value = this.json[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw misfit(name);
    return value;
  }

  flag(name: string): boolean {
    const value = this.json[name];
    if (typeof value !== 'boolean') throw misfit(name);
    return value;
  }

  private hex(name: string, pattern: RegExp): Hex {
    const value = this.json[name];
    if (typeof value !== 'string' || !pattern.test(value) || !isHex(value)) throw misfit(name);
    return value;
  }
}

function misfit(name: string): TypeError {
  return new TypeError(`The member ${name} of an escrow fact does not fit`);
}
