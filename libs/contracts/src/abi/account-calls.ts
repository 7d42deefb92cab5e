import { AbiCoder, concat, Interface, ZeroHash } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex } from './addresses.js';

/** A call that an account makes: `to`, `data`, and ether in wei as text. */
export interface AccountCall {
  to: string;
  data: string;
  value: string;
}

/**
 * How accounts of ERC-4337 are told to make calls: `execute` and `executeBatch` of eth-infinitism's accounts
 * (Simple7702Account among them) and of Coinbase's, and the one function of ERC-7579 and ERC-7821.
 */
const account = new Interface([
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
  'function execute(bytes32 mode, bytes executionData)',
]);
const coder = AbiCoder.defaultAbiCoder();
/** ERC-7579: several calls, all of which must succeed. One call has the mode 0. */
const BATCH_MODE = `0x01${'00'.repeat(31)}`;

/**
 * The call data with which an account makes these calls and no others, in every form known here. Whoever wants to know
 * whether an operation makes them compares its call data with these: no decoder has to agree with the account's.
 * @param calls at least one. Throws when a member is no address, number or bytes.
 */
export function encodeAccountCalls(calls: readonly AccountCall[]): Hex[] {
  const rows = calls.map(({ to, data, value }) => [to, BigInt(value), data]);
  const batch = coder.encode(['tuple(address,uint256,bytes)[]'], [rows]);
  const forms = [
    account.encodeFunctionData('executeBatch', [rows]),
    account.encodeFunctionData('execute(bytes32,bytes)', [BATCH_MODE, batch]),
  ];
  const [only] = calls;
  if (only !== undefined && calls.length === 1) {
    const packed = concat([only.to, coder.encode(['uint256'], [BigInt(only.value)]), only.data]);
    forms.push(
      account.encodeFunctionData('execute(address,uint256,bytes)', rows[0]),
      account.encodeFunctionData('execute(bytes32,bytes)', [ZeroHash, packed]),
    );
  }
  return forms.map(asHex);
}
