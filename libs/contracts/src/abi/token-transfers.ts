import { id } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex, checksumAddress } from './addresses.js';

/** ERC-20's event for money that moved: its first topic. */
export const TRANSFER_TOPIC: Hex = asHex(id('Transfer(address,address,uint256)'));

/** Money that moved between two accounts (EIP-55), in base units. */
export interface TokenTransfer {
  from: Hex;
  to: Hex;
  amount: bigint;
}

/** An address as an indexed argument of an event has it. */
export function addressTopic(address: string): Hex {
  return asHex(`0x${address.slice(2).toLowerCase().padStart(64, '0')}`);
}

/** Throws RangeError for an event that is not a transfer. */
export function decodeTokenTransfer({ topics, data }: { topics: readonly Hex[]; data: Hex }): TokenTransfer {
  const [topic, from, to] = topics;
  if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined || data.length !== 66) {
    throw new RangeError('Not a transfer of a token');
  }
  return { from: addressIn(from), to: addressIn(to), amount: BigInt(data) };
}

function addressIn(topic: Hex): Hex {
  return checksumAddress(`0x${topic.slice(-40)}`);
}
