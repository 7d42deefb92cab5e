import { BYTES32_PATTERN, EVM_ADDRESS_PATTERN, type Hex, isHex } from '#libs/kernel';
import { type FundingMode, type Outcome, toFundingMode, toOutcome } from './node-states.js';

/**
 * What one event of the factory or of a tree's escrow says (docs/decisions/escrow.md#events). Addresses are EIP-55
 * checksummed, amounts and nonces bigint (base units), node ids and times (unix seconds) numbers.
 */
export type EscrowFact =
  | { type: 'TreeCreated'; treeId: Hex; escrow: Hex; buyer: Hex; arbiter: Hex }
  | { type: 'TaskCreated'; buyer: Hex; arbiter: Hex; budget: bigint; termsHash: Hex }
  | {
      type: 'NodeOpened';
      nodeId: number;
      parentNodeId: number;
      worker: Hex;
      amount: bigint;
      deliverBy: number;
      acceptWindow: number;
      hirerFunded: boolean;
      termsHash: Hex;
    }
  | { type: 'NodeFunded'; nodeId: number; payer: Hex; amount: bigint; mode: FundingMode }
  | { type: 'NodeDelivered'; nodeId: number; artifactHash: Hex; acceptBy: number }
  | { type: 'NodeRejected'; nodeId: number; reasonHash: Hex; contestBy: number }
  | { type: 'NodeDisputed'; nodeId: number; evidenceHash: Hex; ruleBy: number }
  | { type: 'NodeSettled'; nodeId: number; workerShare: bigint; hirerShare: bigint; outcome: Outcome }
  | { type: 'NodeRefunded'; nodeId: number; amount: bigint; outcome: Outcome }
  | { type: 'EarningsWithdrawn'; nodeId: number; worker: Hex; recipient: Hex; amount: bigint }
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
  /** An unsigned integer up to 2^53 − 1: ids, seconds, enumerations. */
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
  TaskCreated: (read) => ({
    type: 'TaskCreated',
    buyer: read.address('buyer'),
    arbiter: read.address('arbiter'),
    budget: read.amount('budget'),
    termsHash: read.bytes32('termsHash'),
  }),
  NodeOpened: (read) => ({
    type: 'NodeOpened',
    nodeId: read.count('nodeId'),
    parentNodeId: read.count('parentNodeId'),
    worker: read.address('worker'),
    amount: read.amount('amount'),
    deliverBy: read.count('deliverBy'),
    acceptWindow: read.count('acceptWindow'),
    hirerFunded: read.flag('hirerFunded'),
    termsHash: read.bytes32('termsHash'),
  }),
  NodeFunded: (read) => ({
    type: 'NodeFunded',
    nodeId: read.count('nodeId'),
    payer: read.address('payer'),
    amount: read.amount('amount'),
    mode: toFundingMode(read.count('mode')),
  }),
  NodeDelivered: (read) => ({
    type: 'NodeDelivered',
    nodeId: read.count('nodeId'),
    artifactHash: read.bytes32('artifactHash'),
    acceptBy: read.count('acceptBy'),
  }),
  NodeRejected: (read) => ({
    type: 'NodeRejected',
    nodeId: read.count('nodeId'),
    reasonHash: read.bytes32('reasonHash'),
    contestBy: read.count('contestBy'),
  }),
  NodeDisputed: (read) => ({
    type: 'NodeDisputed',
    nodeId: read.count('nodeId'),
    evidenceHash: read.bytes32('evidenceHash'),
    ruleBy: read.count('ruleBy'),
  }),
  NodeSettled: (read) => ({
    type: 'NodeSettled',
    nodeId: read.count('nodeId'),
    workerShare: read.amount('workerShare'),
    hirerShare: read.amount('hirerShare'),
    outcome: toOutcome(read.count('outcome')),
  }),
  NodeRefunded: (read) => ({
    type: 'NodeRefunded',
    nodeId: read.count('nodeId'),
    amount: read.amount('amount'),
    outcome: toOutcome(read.count('outcome')),
  }),
  EarningsWithdrawn: (read) => ({
    type: 'EarningsWithdrawn',
    nodeId: read.count('nodeId'),
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
