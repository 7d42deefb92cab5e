/** What people and wallets call a chain, and where its transactions can be looked at. */
export interface KnownChain {
  name: string;
  /** True: nothing on it is real money. */
  isTestNetwork: boolean;
  /** With `{hash}` in it; null: there is no public explorer. */
  explorerTransactionUrl: string | null;
  /** A public endpoint that a wallet may be given; null: the operator of the chain names one. */
  publicRpcUrl: string | null;
  nativeCurrency: { name: string; symbol: string; decimals: number };
}

const ETHER = { name: 'Ether', symbol: 'ETH', decimals: 18 };

/** Chains on which USDC is issued with EIP-3009, and the development chain. */
const CHAINS: Readonly<Record<number, KnownChain>> = {
  1: chain('Ethereum', 'https://etherscan.io/tx/{hash}', 'https://ethereum-rpc.publicnode.com'),
  10: chain('OP Mainnet', 'https://optimistic.etherscan.io/tx/{hash}', 'https://mainnet.optimism.io'),
  8453: chain('Base', 'https://basescan.org/tx/{hash}', 'https://mainnet.base.org'),
  42161: chain('Arbitrum One', 'https://arbiscan.io/tx/{hash}', 'https://arb1.arbitrum.io/rpc'),
  84532: {
    ...chain('Base Sepolia', 'https://sepolia.basescan.org/tx/{hash}', 'https://sepolia.base.org'),
    isTestNetwork: true,
  },
  11155111: {
    ...chain('Sepolia', 'https://sepolia.etherscan.io/tx/{hash}', 'https://ethereum-sepolia-rpc.publicnode.com'),
    isTestNetwork: true,
  },
  31337: { ...chain('Local chain', null, null), isTestNetwork: true },
};

/** The chain with this EIP-155 id; one that is not known is called by its number and may be a production network. */
export function knownChain(chainId: number): KnownChain {
  return CHAINS[chainId] ?? chain(`Chain ${chainId}`, null, null);
}

function chain(name: string, explorerTransactionUrl: string | null, publicRpcUrl: string | null): KnownChain {
  return { name, isTestNetwork: false, explorerTransactionUrl, publicRpcUrl, nativeCurrency: ETHER };
}
