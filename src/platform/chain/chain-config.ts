import { Interface, TypedDataEncoder, ZeroAddress } from 'ethers';
import {
  checksumAddress,
  codeHash,
  decodeEscrowOfResult,
  decodeTokenDomainResult,
  deployedCode,
  type DeploymentAddresses,
  encodeEscrowOfCall,
  encodeTokenDomainCall,
  predictEscrowAddress,
  taskEscrowAbi,
  taskEscrowFactoryAbi,
  type TokenDomain,
  type TokenDomainView,
  treeIdOf,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { Environment } from '../config/environment.js';
import type { ChainClient } from './chain-client.js';
import { ChainUnavailableError } from './rpc/chain-unavailable.error.js';

/** The service is not configured for the chain it was given; the message is for the person who starts it. */
export class ChainConfigurationError extends Error {
  override readonly name = 'ChainConfigurationError';
}

/** The chain could not be asked, so that nobody knows whether the service is configured for it. */
export class ChainAwayError extends ChainConfigurationError {}

interface ChainAddresses {
  chainId: number;
  factoryAddress: Hex;
  implementationAddress: Hex;
  usdcAddress: Hex;
  /** Name and version in the token's EIP-712 domain. */
  usdcName: string;
  usdcVersion: string;
}

const factory = new Interface(taskEscrowFactoryAbi);
const escrow = new Interface(taskEscrowAbi);
/** As in the factory's own check of the parties. */
const LAST_RESERVED_ADDRESS = 0xffffn;
/** Any tree will do: its address must come out the same here and on the chain. */
const CHECKED_TREE = { buyer: checksumAddress(`0x${'11'.repeat(20)}`), arbiter: ZeroAddress, taskId: 'task_check' };

/** The contracts of this deployment, as the chain itself names them. */
export class ChainConfig {
  /** EIP-155. */
  readonly chainId: number;
  /** EIP-55, as the three below. */
  readonly factoryAddress: Hex;
  readonly implementationAddress: Hex;
  readonly usdcAddress: Hex;
  /** The token's EIP-712 domain: what signatures that pay into an escrow are made for. */
  readonly usdcDomain: TokenDomain;

  constructor(addresses: ChainAddresses) {
    this.chainId = addresses.chainId;
    this.factoryAddress = addresses.factoryAddress;
    this.implementationAddress = addresses.implementationAddress;
    this.usdcAddress = addresses.usdcAddress;
    this.usdcDomain = {
      chainId: addresses.chainId,
      tokenAddress: addresses.usdcAddress,
      name: addresses.usdcName,
      version: addresses.usdcVersion,
    };
  }

  /**
   * Reads the contracts behind the configured factory and checks that their whole code is that of this build, that
   * escrow addresses computed here are those that the factory will deploy to
   * (docs/decisions/escrow.md#one-contract-per-tree), and that the token has the pinned code, if any is pinned, and takes
   * signatures for the domain it names.
   * @throws ChainConfigurationError with a sentence when the chain is another one, or has no factory or other contracts;
   * ChainAwayError when it cannot be reached.
   */
  static async read(client: ChainClient, environment: Environment): Promise<ChainConfig> {
    try {
      return await readConfig(client, environment);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      throw new ChainAwayError(`The chain at RPC_URL cannot be asked (${error.detail}).`);
    }
  }

  /** The address (EIP-55) of a task's escrow, deployed or not. `arbiterWallet` is the zero address for none. */
  escrowAddressOf(buyerWallet: string, arbiterWallet: string, taskId: string): Hex {
    return predictEscrowAddress({
      factory: this.factoryAddress,
      implementation: this.implementationAddress,
      buyer: buyerWallet,
      arbiter: arbiterWallet,
      treeId: treeIdOf(taskId),
    });
  }

  /**
   * Whether the contracts refuse this arbiter for the escrow: a contract of the deployment, which anybody could speak
   * through or nobody can, or an address that chains keep for contracts of their own. Zero, for no arbiter, is taken.
   */
  refusesArbiter(wallet: string, escrowAddress: string): boolean {
    const at = BigInt(wallet);
    if (at <= LAST_RESERVED_ADDRESS) return at !== 0n;
    return [this.factoryAddress, this.implementationAddress, this.usdcAddress, escrowAddress].some(
      (contract) => BigInt(contract) === at,
    );
  }
}

async function readConfig(client: ChainClient, environment: Environment): Promise<ChainConfig> {
  const served = await client.chainId();
  if (served !== environment.chainId) {
    throw new ChainConfigurationError(
      `RPC_URL serves chain ${served}, but CHAIN_ID is ${environment.chainId}: correct the one that is wrong.`,
    );
  }
  const factoryAddress = checksumAddress(environment.escrowFactoryAddress);
  const factoryCode = await client.codeAt(factoryAddress);
  if (factoryCode === '0x') {
    throw new ChainConfigurationError(
      `There is no contract at ESCROW_FACTORY_ADDRESS ${factoryAddress} on chain ${served}.`,
    );
  }
  const implementationAddress = await addressFrom(client, factory, 'implementation', factoryAddress);
  const usdcAddress = await addressFrom(client, escrow, 'token', implementationAddress);
  checkCode(factoryCode, await client.codeAt(implementationAddress), {
    factory: factoryAddress,
    implementation: implementationAddress,
    token: usdcAddress,
  });
  await checkTokenCode(client, usdcAddress, environment.usdcCodeHash);
  const [usdcName, usdcVersion] = await Promise.all([
    tokenView(client, usdcAddress, 'name'),
    tokenView(client, usdcAddress, 'version'),
  ]);
  const contracts = { factoryAddress, implementationAddress, usdcAddress };
  const config = new ChainConfig({ chainId: served, ...contracts, usdcName, usdcVersion });
  await Promise.all([checkPrediction(client, config), checkTokenDomain(client, config)]);
  return config;
}

/**
 * A contract can answer every view as the escrow does and still give the money to somebody else, so nothing less than
 * the whole code is compared.
 */
function checkCode(factoryCode: Hex, implementationCode: Hex, addresses: DeploymentAddresses): void {
  const expected = deployedCode(addresses);
  if (codeHash(implementationCode) !== codeHash(expected.implementation)) {
    throw new ChainConfigurationError(
      `The escrow ${addresses.implementation} behind ESCROW_FACTORY_ADDRESS is not the one that this release was built with.`,
    );
  }
  if (codeHash(factoryCode) !== codeHash(expected.factory)) throw notTheFactory();
}

/** What is pinned is the token's own code: what its issuer puts behind it may change at any time. */
async function checkTokenCode(client: ChainClient, token: Hex, pinned: string | null): Promise<void> {
  if (pinned === null || codeHash(await client.codeAt(token)) === pinned.toLowerCase()) return;
  throw new ChainConfigurationError(`The code of the token ${token} is not the one that USDC_CODE_HASH names.`);
}

async function tokenView(client: ChainClient, token: Hex, view: TokenDomainView): Promise<string> {
  const answer = await client.rawCall({ to: token, data: encodeTokenDomainCall(view) });
  if (answer.reverted) throw notTheToken(token);
  try {
    return decodeTokenDomainResult(view, answer.data);
  } catch {
    throw notTheToken(token);
  }
}

/** A payment that is signed for another domain than the token's own would be refused after the wallet has signed it. */
async function checkTokenDomain(client: ChainClient, { usdcAddress, usdcDomain }: ChainConfig): Promise<void> {
  const { name, version, chainId, tokenAddress } = usdcDomain;
  const own = TypedDataEncoder.hashDomain({ name, version, chainId, verifyingContract: tokenAddress });
  if ((await tokenView(client, usdcAddress, 'DOMAIN_SEPARATOR')) !== own) throw notTheToken(usdcAddress);
}

async function addressFrom(client: ChainClient, contract: Interface, getter: string, at: Hex): Promise<Hex> {
  const answer = await client.rawCall({ to: at, data: contract.encodeFunctionData(getter) });
  if (answer.reverted) throw notTheFactory();
  try {
    return checksumAddress(String(contract.decodeFunctionResult(getter, answer.data)[0]));
  } catch {
    throw notTheFactory();
  }
}

async function checkPrediction(client: ChainClient, config: ChainConfig): Promise<void> {
  const { buyer, arbiter, taskId } = CHECKED_TREE;
  const data = encodeEscrowOfCall({ buyer, arbiter, treeId: treeIdOf(taskId) });
  const answer = await client.rawCall({ to: config.factoryAddress, data });
  if (answer.reverted) throw notTheFactory();
  if (escrowOf(answer.data) !== config.escrowAddressOf(buyer, arbiter, taskId)) throw notTheFactory();
}

function escrowOf(data: Hex): Hex {
  try {
    return decodeEscrowOfResult(data);
  } catch {
    throw notTheFactory();
  }
}

function notTheFactory(): ChainConfigurationError {
  return new ChainConfigurationError(
    'The contract at ESCROW_FACTORY_ADDRESS is not an escrow factory of the version that this release works with.',
  );
}

function notTheToken(token: Hex): ChainConfigurationError {
  return new ChainConfigurationError(
    `The token ${token} of the escrow factory is not USDC: it does not name the EIP-712 domain that it takes signatures for.`,
  );
}
