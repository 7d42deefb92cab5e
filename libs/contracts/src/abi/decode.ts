import { id } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex } from './addresses.js';
import {
  type EscrowFact,
  type EscrowFactType,
  FACT_TYPES,
  type MemberReader,
  readFact,
} from '../tree/escrow-events.js';
import { splitWords, wordToAddress, wordToAmount, wordToBytes32, wordToCount, wordToFlag } from './abi-words.js';

/** Where the members of an event lie: `indexed` in the topics after the first, `data` one word each. */
interface EventLayout {
  readonly signature: string;
  readonly indexed: readonly string[];
  readonly data: readonly string[];
}

/**
 * The pinned layout of every event (docs/decisions/escrow.md#events); `decode.spec.ts` compares it with the generated
 * ABI.
 */
const LAYOUTS: Readonly<Record<EscrowFactType, EventLayout>> = {
  TreeCreated: {
    signature: 'TreeCreated(bytes32,address,address,address)',
    indexed: ['treeId', 'escrow', 'buyer'],
    data: ['arbiter'],
  },
  NodeFunded: {
    signature: 'NodeFunded(uint192,address,address,uint256,uint256,uint256,uint256,uint256,bool,uint8,bytes32)',
    indexed: ['nodeId', 'worker', 'payer'],
    data: ['amount', 'floor', 'deliverBy', 'acceptWindow', 'maxRevisions', 'hirerFunded', 'mode', 'termsHash'],
  },
  NodeDelivered: {
    signature: 'NodeDelivered(uint192,bytes32,uint256,bool)',
    indexed: ['nodeId'],
    data: ['artifactHash', 'acceptBy', 'payOut'],
  },
  NodeRejected: {
    signature: 'NodeRejected(uint192,bytes32,uint256)',
    indexed: ['nodeId'],
    data: ['reasonHash', 'contestBy'],
  },
  NodeDisputed: {
    signature: 'NodeDisputed(uint192,bytes32,uint256)',
    indexed: ['nodeId'],
    data: ['evidenceHash', 'ruleBy'],
  },
  NodeSettled: {
    signature: 'NodeSettled(uint192,uint256,uint256,uint8)',
    indexed: ['nodeId'],
    data: ['workerShare', 'hirerShare', 'outcome'],
  },
  NodeRefunded: {
    signature: 'NodeRefunded(uint192,uint256,uint8)',
    indexed: ['nodeId'],
    data: ['amount', 'outcome'],
  },
  EarningsWithdrawn: {
    signature: 'EarningsWithdrawn(uint192,address,address,uint256)',
    indexed: ['nodeId', 'worker', 'recipient'],
    data: ['amount'],
  },
  RefundWithdrawn: {
    signature: 'RefundWithdrawn(address,address,uint256)',
    indexed: ['account', 'recipient'],
    data: ['amount'],
  },
  ActionConsumed: {
    signature: 'ActionConsumed(bytes32,address,uint256,bytes32)',
    indexed: ['actionId', 'signer'],
    data: ['nonce', 'requestDigest'],
  },
  NoncesInvalidated: {
    signature: 'NoncesInvalidated(address,uint256,uint256)',
    indexed: ['signer'],
    data: ['word', 'mask'],
  },
};

interface PinnedEvent {
  readonly type: EscrowFactType;
  readonly topicCount: number;
  readonly wordCount: number;
  /** Position of each member among the topics after the first followed by the words of the data. */
  readonly positions: ReadonlyMap<string, number>;
}

const EVENTS_BY_TOPIC = new Map<string, PinnedEvent>(
  FACT_TYPES.map((type) => {
    const { signature, indexed, data } = LAYOUTS[type];
    const positions = new Map([...indexed, ...data].map((name, position) => [name, position]));
    return [id(signature), { type, topicCount: indexed.length + 1, wordCount: data.length, positions }];
  }),
);

/** First topics of every event that `decodeFact` knows; the topic filter of the indexer. */
export const FACT_TOPICS: readonly Hex[] = [...EVENTS_BY_TOPIC.keys()].map(asHex);

/**
 * What a log says, or `null` when it is no event of the factory or the escrow. The caller has checked that the log's
 * address is the factory's or a tree's escrow. Throws TypeError or RangeError when a member does not fit its type,
 * which no log of the pinned contracts causes.
 */
export function decodeFact(log: { readonly topics: readonly string[]; readonly data: string }): EscrowFact | null {
  const event = EVENTS_BY_TOPIC.get(log.topics[0] ?? '');
  if (event === undefined || log.topics.length !== event.topicCount) return null;
  const words = splitWords(log.data);
  if (words?.length !== event.wordCount) return null;
  return readFact(event.type, new LogMembers(event.positions, [...log.topics.slice(1), ...words]));
}

class LogMembers implements MemberReader {
  constructor(
    private readonly positions: ReadonlyMap<string, number>,
    private readonly words: readonly string[],
  ) {}

  bytes32(name: string): Hex {
    return wordToBytes32(this.word(name));
  }

  address(name: string): Hex {
    return wordToAddress(this.word(name));
  }

  amount(name: string): bigint {
    return wordToAmount(this.word(name));
  }

  count(name: string): number {
    return wordToCount(this.word(name));
  }

  flag(name: string): boolean {
    return wordToFlag(this.word(name));
  }

  private word(name: string): string {
    const word = this.words[this.positions.get(name) ?? -1];
    if (word === undefined) throw new TypeError(`No member ${name} in this event`);
    return word;
  }
}
