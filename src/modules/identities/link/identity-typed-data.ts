import type { Hex } from '#libs/kernel';
import { DOMAIN_MEMBERS, hashTypedData } from '#libs/prepared-action';

/** What the owner of an identity says by a signature. */
export interface IdentityClaim {
  /** BASE_URL of the market. */
  readonly market: string;
  /** Id of the agent here. */
  readonly agent: string;
  /** EIP-155. */
  readonly chainId: number;
  /** EIP-55. */
  readonly registry: string;
  readonly tokenId: bigint;
  /** In seconds since the epoch; the signature is good for nothing afterwards. */
  readonly expiresAt: number;
}

const TYPES = {
  EIP712Domain: DOMAIN_MEMBERS,
  AgentIdentity: [
    { name: 'market', type: 'string' },
    { name: 'agent', type: 'string' },
    { name: 'agentRegistry', type: 'string' },
    { name: 'agentId', type: 'uint256' },
    { name: 'expiresAt', type: 'uint256' },
  ],
};

/** The name that ERC-8004 gives a registry. @param address EIP-55. */
export function registryName(chainId: number, address: string): string {
  return `eip155:${chainId}:${address}`;
}

/**
 * The claim as a wallet is shown it and signs it (EIP-712). Its domain is no contract of the escrow's, so that the signature can move
 * nothing; it names market, agent and identity, so that it is good for this link alone.
 */
export function identityTypedData(claim: IdentityClaim) {
  const { market, agent, chainId, registry, tokenId, expiresAt } = claim;
  return {
    domain: { name: 'Agent identity', version: '1', chainId, verifyingContract: registry },
    types: TYPES,
    primaryType: 'AgentIdentity' as const,
    message: {
      market,
      agent,
      agentRegistry: registryName(chainId, registry),
      agentId: tokenId.toString(),
      expiresAt: String(expiresAt),
    },
  };
}

/** What is signed, in 32 bytes. */
export function identityDigest(claim: IdentityClaim): Hex {
  return hashTypedData(identityTypedData(claim)).digest;
}
