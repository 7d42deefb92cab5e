import { Injectable } from '@nestjs/common';
import { Interface, ZeroAddress } from 'ethers';
import { readAddressText } from '#libs/contracts';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { registryName } from './identity-typed-data.js';

const registryAbi = new Interface(['function ownerOf(uint256 tokenId) view returns (address)']);

/** The identity registries (ERC-8004) that the operator has named, on the configured chain. */
@Injectable()
export class IdentityRegistry {
  constructor(
    private readonly chain: ChainClient,
    private readonly environment: Environment,
  ) {}

  /** @throws ApiError `not_found` where the operator has named no registry: this market links no identities. */
  assertServed(): void {
    if (this.environment.erc8004Registries.length > 0) return;
    throw new ApiError('not_found', 'This market links no on-chain identities.');
  }

  /** Whether the operator still names this registry. @param address in any case. */
  serves(address: string): boolean {
    return this.environment.erc8004Registries.some((one) => one.toLowerCase() === address.toLowerCase());
  }

  /**
   * The address (EIP-55) of a registry by its name, `eip155:CHAIN:ADDRESS` with the address in any case.
   * @throws ApiError `not_found` as `assertServed`, `invalid_body` for a registry that the operator has not named.
   */
  addressOf(name: string): string {
    this.assertServed();
    const { chainId, erc8004Registries } = this.environment;
    const served = erc8004Registries.flatMap((address) => readAddressText(address) ?? []);
    const found = served.find((address) => registryName(chainId, address).toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    const names = served.map((address) => registryName(chainId, address)).join(', ');
    throw new ApiError(
      'invalid_body',
      'This market does not link identities of agent_registry.',
      `It links: ${names}.`,
    );
  }

  /**
   * The wallet (EIP-55) that owns an identity now; null when there is no such identity.
   * @throws ChainUnavailableError.
   */
  async ownerOf(registry: string, tokenId: bigint): Promise<string | null> {
    const data = registryAbi.encodeFunctionData('ownerOf', [tokenId]);
    const answer = await this.chain.rawCall({ to: registry, data });
    if (answer.reverted) return null;
    try {
      const owner = String(registryAbi.decodeFunctionResult('ownerOf', answer.data)[0]);
      return owner === ZeroAddress ? null : owner;
    } catch {
      // No contract of this kind is there.
      return null;
    }
  }
}
