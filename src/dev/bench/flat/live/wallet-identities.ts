import { toBeHex } from 'ethers';
import { LOCAL_CHAIN_ID } from '../../../local-chain/anvil.js';
import type { LocalChain } from '../../../local-chain/local-chain.js';

/** Address of the registry of identities (ERC-8004) that the bench puts on its chain. */
export const REGISTRY = toBeHex(0x8004n, 20);
/** The registry as requests name it. */
export const REGISTRY_NAME = `eip155:${LOCAL_CHAIN_ID}:${REGISTRY}`;
/**
 * Answers each call with its first argument. As `ownerOf` this is a registry in which every wallet owns one identity, whose
 * number is the wallet's address.
 */
const CODE = '0x60043560005260206000f3';

/** Puts the registry on the chain. */
export async function putRegistry({ provider }: LocalChain): Promise<void> {
  await provider.send('anvil_setCode', [REGISTRY, CODE]);
}

/** The identity that a wallet owns. */
export function identityOf(wallet: { readonly address: string }): { agent_registry: string; token_id: string } {
  return { agent_registry: REGISTRY_NAME, token_id: BigInt(wallet.address).toString() };
}
