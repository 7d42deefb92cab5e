import { ContractFactory, type InterfaceAbi } from 'ethers';
import {
  localUsdcAbi,
  localUsdcBytecode,
  taskEscrowAbi,
  taskEscrowBytecode,
  taskEscrowFactoryAbi,
  taskEscrowFactoryBytecode,
} from '#libs/contracts';
import type { LocalChain } from './local-chain.js';

/** The contracts of a local market. */
export interface DeployedContracts {
  usdc: string;
  factory: string;
}

/**
 * Deploys USDC, the escrow implementation and its factory from the committed artifacts. Returns the addresses of USDC
 * and the factory.
 */
export async function deployContracts(chain: LocalChain): Promise<DeployedContracts> {
  const usdc = await deploy(chain, localUsdcAbi, localUsdcBytecode, chain.relayer.address);
  const implementation = await deploy(chain, taskEscrowAbi, taskEscrowBytecode, usdc);
  const factory = await deploy(chain, taskEscrowFactoryAbi, taskEscrowFactoryBytecode, implementation);
  return { usdc, factory };
}

async function deploy(chain: LocalChain, abi: InterfaceAbi, bytecode: string, argument: string): Promise<string> {
  const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction(argument);
  const { contract } = await chain.deploy(data);
  if (contract === null) throw new Error('A deployment gave no contract');
  return contract;
}
