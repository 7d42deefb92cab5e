import { concat, getCreate2Address, getCreateAddress, keccak256, ZeroHash, zeroPadValue } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex, checksumAddress } from '../abi/addresses.js';
import { taskEscrowFactoryBytecode } from '../generated/task-escrow-factory.js';
import { type DeployedCode, deployedCode } from './deployed-code.js';

/**
 * The contract that deploys by CREATE2 for everybody, at the same address on all chains: it takes a salt and creation
 * code, one after the other.
 */
export const CREATE2_DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Part of the address of every deployment. Nobody needs a second one of the same code and token, so it is nothing. */
const DEPLOYMENT_SALT: Hex = asHex(ZeroHash);

/** A contract created by its own first act has this nonce as its creator: contracts begin with 1 (EIP-161). */
const FIRST_NONCE = 1;

/**
 * Gas for the transaction. It needs 4.3 million; a deployer that finds the address taken uses up all but a little, so
 * the limit is not much more.
 */
const GAS_LIMIT = 5_500_000;

/** The one transaction that deploys the contracts, and what it gives: the same on every chain with USDC at this address. */
export interface DeploymentPlan {
  /** EIP-55, as the two below. */
  usdc: Hex;
  factory: Hex;
  implementation: Hex;
  /** Anybody may send it, with any account. `gasLimit` in gas. */
  transaction: { to: Hex; data: Hex; gasLimit: number };
  /** The code that will be there. */
  code: DeployedCode;
}

/** Plans the deployment of this build's contracts for a token. @throws TypeError when it is no address. */
export function deploymentPlan(token: string): DeploymentPlan {
  const usdc = checksumAddress(token);
  const creation = concat([taskEscrowFactoryBytecode, zeroPadValue(usdc, 32)]);
  const factory = checksumAddress(getCreate2Address(CREATE2_DEPLOYER, DEPLOYMENT_SALT, keccak256(creation)));
  const implementation = checksumAddress(getCreateAddress({ from: factory, nonce: FIRST_NONCE }));
  return {
    usdc,
    factory,
    implementation,
    transaction: { to: CREATE2_DEPLOYER, data: asHex(concat([DEPLOYMENT_SALT, creation])), gasLimit: GAS_LIMIT },
    code: deployedCode({ factory, implementation, token: usdc }),
  };
}
