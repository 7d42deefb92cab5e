import { Interface, ZeroAddress } from 'ethers';
import { FundingMode, nodeNonce, Outcome, taskEscrowAbi, taskEscrowFactoryAbi, treeIdOf } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { ScriptedEvent } from './scripted-chain.js';

/** A value in an event, to be encoded as 32 bytes: a hash, an address or a number. */
type Word = Hex | number | bigint;

const ESCROW = new Interface(taskEscrowAbi);
const FACTORY = new Interface(taskEscrowFactoryAbi);
const TOPICS = new Map<string, Hex>();
for (const abi of [FACTORY, ESCROW]) abi.forEachEvent(({ name, topicHash }) => TOPICS.set(name, asHex(topicHash)));

const FAR = 4_000_000_000;
const WINDOW_SECONDS = 86_400;
const MAX_REVISIONS = 3;
const HIRER_FUNDED = 1;
const PAY_OUT = 1;
const HASH: Hex = `0x${'ab'.repeat(32)}`;

/** The task, the contract and the parties of a tree. */
export interface ScriptedParties {
  readonly taskId: string;
  readonly factory: Hex;
  readonly escrow: Hex;
  readonly buyer: Hex;
}

/** Makes the events that the contracts would emit for one tree. */
export class ScriptedTree {
  constructor(private readonly parties: ScriptedParties) {}

  created(): ScriptedEvent {
    const { taskId, factory, escrow, buyer } = this.parties;
    return event(factory, 'TreeCreated', [asHex(treeIdOf(taskId)), escrow, buyer], [asHex(ZeroAddress)]);
  }

  /** The buyer hires and pays. */
  funded(node: bigint, worker: Hex, amount: bigint): ScriptedEvent {
    const { escrow, buyer } = this.parties;
    const terms = [amount, amount / 2n, FAR, WINDOW_SECONDS, MAX_REVISIONS, HIRER_FUNDED, FundingMode.Allowance, HASH];
    return event(escrow, 'NodeFunded', [node, worker, buyer], terms);
  }

  /** A signed action about a node is used up. @param version of the node, before the action. */
  consumed(action: Hex, signer: Hex, node: bigint, version: number): ScriptedEvent {
    return event(this.parties.escrow, 'ActionConsumed', [action, signer], [nodeNonce(node, version), HASH]);
  }

  delivered(node: bigint): ScriptedEvent {
    return event(this.parties.escrow, 'NodeDelivered', [node], [HASH, FAR, PAY_OUT]);
  }

  rejected(node: bigint): ScriptedEvent {
    return event(this.parties.escrow, 'NodeRejected', [node], [HASH, FAR]);
  }

  accepted(node: bigint, amount: bigint): ScriptedEvent {
    return event(this.parties.escrow, 'NodeSettled', [node], [amount, 0, Outcome.Accepted]);
  }

  withdrawn(node: bigint, worker: Hex, amount: bigint): ScriptedEvent {
    return event(this.parties.escrow, 'EarningsWithdrawn', [node, worker, worker], [amount]);
  }
}

function event(address: Hex, name: string, indexed: readonly Word[], data: readonly Word[]): ScriptedEvent {
  const topic = TOPICS.get(name);
  if (topic === undefined) throw new TypeError(`The contracts have no event ${name}`);
  return {
    address,
    topics: [topic, ...indexed.map((value): Hex => `0x${digits(value)}`)],
    data: `0x${data.map(digits).join('')}`,
  };
}

/** The value as 64 lower-case hexadecimal digits. */
function digits(value: Word): string {
  const text = typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16);
  return text.padStart(64, '0');
}

function asHex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
