import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { getAddress, type Wallet, Interface } from 'ethers';
import type { ChainMarket } from '../../support/chain-market.js';

const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract IdentityRegistry is ERC721("AgentIdentity", "AGENT") {
  function give(address to, uint256 id) external { _update(to, id, address(0)); }
}`;
const abi = new Interface(['function give(address to, uint256 id)']);
const require = createRequire(`${process.cwd()}/package.json`);

/** An identity registry of ERC-8004 as far as ownership goes: OpenZeppelin's ERC-721, where anybody gives tokens away. */
export class IdentityRegistryContract {
  private constructor(
    private readonly chain: ChainMarket,
    private readonly giver: Wallet,
    /** EIP-55. */
    readonly address: string,
  ) {}

  static async deploy(chain: ChainMarket): Promise<IdentityRegistryContract> {
    const giver = chain.wallet();
    await chain.giveEther(giver.address);
    return new IdentityRegistryContract(chain, giver, getAddress(await chain.deployCode(compiled())));
  }

  /** Makes the wallet the owner of the token, whoever owned it before; without a wallet, nobody. */
  async give(tokenId: bigint, to = `0x${'0'.repeat(40)}`): Promise<void> {
    await this.chain.sendFrom(this.giver, this.address, abi.encodeFunctionData('give', [to, tokenId]));
  }
}

function compiled(): string {
  const input = {
    language: 'Solidity',
    sources: sourcesOf('IdentityRegistry.sol', SOURCE),
    settings: { evmVersion: 'cancun', outputSelection: { '*': { IdentityRegistry: ['evm.bytecode.object'] } } },
  };
  const { contracts, errors } = JSON.parse(require('solc').compile(JSON.stringify(input)));
  if (contracts === undefined) throw new Error(JSON.stringify(errors));
  return `0x${contracts['IdentityRegistry.sol'].IdentityRegistry.evm.bytecode.object}`;
}

function sourcesOf(name: string, content: string, found: Record<string, { content: string }> = {}) {
  if (found[name] !== undefined) return found;
  found[name] = { content };
  for (const [, path = ''] of content.matchAll(/^import .*?"([^"]+)";/gm)) {
    const target = path.startsWith('.') ? posix.join(dirname(name), path) : path;
    const root = dirname(require.resolve('@openzeppelin/contracts/package.json'));
    const file = join(root, target.replace('@openzeppelin/contracts/', ''));
    sourcesOf(target, readFileSync(file, 'utf8'), found);
  }
  return found;
}
