import { checksumAddress } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { SimulatedTransfer } from '../../../platform/chain/simulation.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { messageOf, readAddress, readStruct, readUint } from '../../prepared-actions/payload/typed-message.js';

/**
 * The USDC that an action moves into or out of its escrow, by its typed data alone; null when it moves none. Money that
 * moves within the escrow does not count.
 */
export function expectedMoney(action: PreparedActionEntity): SimulatedTransfer | null {
  const message = messageOf(action.payload);
  const escrow = checksumAddress(action.escrowAddress);
  switch (action.payload['primaryType']) {
    case 'ReceiveWithAuthorization':
      return transfer(readAddress(message, 'from'), readAddress(message, 'to'), readUint(message, 'value'));
    case 'Permit':
      return transfer(readAddress(message, 'owner'), readAddress(message, 'spender'), readUint(message, 'value'));
    case 'FundTask':
    case 'Subcontract':
      if (action.details['funding_mode'] !== 'allowance') return null;
      return transfer(checksumAddress(action.walletAddress), escrow, readUint(readStruct(message, 'terms'), 'amount'));
    case 'WithdrawEarnings':
    case 'WithdrawRefund':
      return transfer(escrow, readAddress(message, 'recipient'), readUint(message, 'amount'));
    default:
      return null;
  }
}

function transfer(from: Hex, to: Hex, amount: bigint): SimulatedTransfer {
  return { from, to, amount };
}
