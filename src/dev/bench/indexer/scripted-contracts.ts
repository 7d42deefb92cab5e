import { AbiCoder, Interface, TypedDataEncoder, ZeroAddress } from 'ethers';
import {
  checksumAddress,
  deployedCode,
  localUsdcAbi,
  predictEscrowAddress,
  taskEscrowAbi,
  taskEscrowFactoryAbi,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';

/** Addresses of the contracts of a scripted chain. */
export const SCRIPTED_FACTORY = addressOf(0xf1);
const IMPLEMENTATION = addressOf(0xf2);
const USDC = addressOf(0xf3);
const NAME = 'USD Coin';
const VERSION = '2';

const FACTORY = new Interface(taskEscrowFactoryAbi);
const ESCROW = new Interface(taskEscrowAbi);
const TOKEN = new Interface(localUsdcAbi);

/** The code of the contracts of a scripted chain. Nothing executes it; a service that starts compares it. */
export function scriptedCode(at: string): Hex {
  const code = deployedCode({ factory: SCRIPTED_FACTORY, implementation: IMPLEMENTATION, token: USDC });
  if (at.toLowerCase() === SCRIPTED_FACTORY.toLowerCase()) return code.factory;
  return at.toLowerCase() === IMPLEMENTATION.toLowerCase() ? code.implementation : '0x00';
}

/** What the contracts answer to the calls of a service that starts; undefined for any other call. */
export function scriptedCall(chainId: number, to: string, data: string): string | undefined {
  const at = to.toLowerCase();
  if (at === SCRIPTED_FACTORY.toLowerCase()) return ofFactory(data);
  if (at === IMPLEMENTATION.toLowerCase()) return answerOf(ESCROW, data, 'token', USDC);
  if (at !== USDC.toLowerCase()) return undefined;
  const domain = { name: NAME, version: VERSION, chainId, verifyingContract: USDC };
  return (
    answerOf(TOKEN, data, 'name', NAME) ??
    answerOf(TOKEN, data, 'version', VERSION) ??
    answerOf(TOKEN, data, 'DOMAIN_SEPARATOR', TypedDataEncoder.hashDomain(domain))
  );
}

function ofFactory(data: string): string | undefined {
  const implementation = answerOf(FACTORY, data, 'implementation', IMPLEMENTATION);
  if (implementation !== undefined || !data.startsWith(selectorOf(FACTORY, 'escrowOf'))) return implementation;
  const decoded = FACTORY.decodeFunctionData('escrowOf', data).map(String);
  const [buyer = ZeroAddress, arbiter = ZeroAddress, treeId = ''] = decoded;
  const parts = { factory: SCRIPTED_FACTORY, implementation: IMPLEMENTATION, buyer, arbiter, treeId };
  return AbiCoder.defaultAbiCoder().encode(['address'], [predictEscrowAddress(parts)]);
}

function answerOf(contract: Interface, data: string, view: string, value: string): string | undefined {
  return data.startsWith(selectorOf(contract, view)) ? contract.encodeFunctionResult(view, [value]) : undefined;
}

function selectorOf(contract: Interface, view: string): string {
  const found = contract.getFunction(view);
  if (found === null) throw new TypeError(`The contract has no view ${view}`);
  return found.selector;
}

function addressOf(number: number): Hex {
  return checksumAddress(`0x${number.toString(16).padStart(40, '0')}`);
}
