import { ContractFactory } from 'ethers';
import { deploymentPlan, localUsdcAbi, localUsdcBytecode } from '#libs/contracts';
import type { LocalChain } from './local-chain.js';

/** The contracts of a local market. */
export interface DeployedContracts {
  usdc: string;
  factory: string;
}

/**
 * Deploys the local market's USDC, and the escrow by the same transaction as on every other chain. Returns the addresses
 * of USDC and the factory.
 */
export async function deployContracts(chain: LocalChain): Promise<DeployedContracts> {
  const code = new ContractFactory(localUsdcAbi, localUsdcBytecode);
  const { data } = await code.getDeployTransaction(chain.relayer.address);
  const { contract: usdc } = await chain.deploy(data);
  if (usdc === null) throw new Error('A deployment gave no contract');
  const { factory, transaction } = deploymentPlan(usdc);
  await chain.send(chain.relayer, transaction.to, transaction.data, transaction.gasLimit);
  return { usdc, factory };
}
