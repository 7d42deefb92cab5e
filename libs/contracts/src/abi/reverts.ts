import { Interface, type JsonFragment } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex } from './addresses.js';
import { localUsdcAbi } from '../generated/local-usdc.js';
import { taskEscrowFactoryAbi } from '../generated/task-escrow-factory.js';
import { taskEscrowAbi } from '../generated/task-escrow.js';

/** Integers of the error are bigint, whatever their width; addresses are EIP-55. */
export type RevertValue = string | bigint | boolean;

/** Why a call was refused. */
export interface DecodedRevert {
  /** Name of the custom error, or `Error` (a text) or `Panic` (a number), which Solidity and the real USDC use. */
  name: string;
  /** By name; the argument of `Error` and `Panic` is called `value`. */
  args: Record<string, RevertValue>;
}

/** The three contracts share some errors of the libraries they are built from; each is listed once. */
const errors = new Interface([
  ...new Map(
    [taskEscrowAbi, taskEscrowFactoryAbi, localUsdcAbi]
      .flatMap((abi): readonly JsonFragment[] => abi)
      .filter(({ type }) => type === 'error')
      .map((fragment) => [fragment.name, fragment]),
  ).values(),
]);

/** A member of a batch that failed and was left out (docs/decisions/escrow.md#events). */
export interface SkippedCall {
  /** Its place in the batch, from 0. */
  index: number;
  /** Null for an error that is not known. */
  revert: DecodedRevert | null;
}

const escrow = new Interface(taskEscrowAbi);

/** The member that a log of an escrow says was left out; null for any other event. */
export function decodeSkippedCall({ topics, data }: { topics: readonly string[]; data: Hex }): SkippedCall | null {
  try {
    const log = escrow.parseLog({ topics, data });
    if (log?.name !== 'CallSkipped') return null;
    return { index: Number(log.args['index']), revert: decodeRevert(asHex(String(log.args['reason']))) };
  } catch {
    return null; // The log has the topic of an event, but not its data.
  }
}

/** The error in the data that a call reverted with, or `null` when it is not an error of the contracts. */
export function decodeRevert(data: Hex): DecodedRevert | null {
  try {
    const error = errors.parseError(data);
    if (error === null) return null;
    const args: DecodedRevert['args'] = {};
    error.fragment.inputs.forEach(({ name }, index) => {
      args[name === '' ? 'value' : name] = revertValue(error.args[index]);
    });
    return { name: error.name, args };
  } catch {
    return null; // The data has the selector of an error, but not its arguments.
  }
}

function revertValue(value: unknown): RevertValue {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  throw new TypeError('No error of the contracts has such an argument');
}
