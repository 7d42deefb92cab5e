import { id } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex, checksumAddress } from './addresses.js';

/** First topic of ERC-20's `Transfer` event. */
export const TRANSFER_TOPIC: Hex = asHex(id('Transfer(address,address,uint256)'));

/** Money that moved between two accounts (EIP-55), in base units. */
export interface TokenTransfer {
  from: Hex;
  to: Hex;
  amount: bigint;
}

/** The 32-byte topic that an indexed event argument has for an address. */
export function addressTopic(address: string): Hex {
  return asHex(`0x${address.slice(2).toLowerCase().padStart(64, '0')}`);
}

/** Decodes a `Transfer` event. Throws RangeError for any other event. */
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
