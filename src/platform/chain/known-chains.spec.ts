import * as viemChains from 'viem/chains';
import { knownChain } from './known-chains.js';

/** The chains that another library lists. */
const LISTED = Object.values(viemChains);

test.each([1, 10, 8453, 42161, 84532, 11155111])('chain %d is called what everybody calls it', (id) => {
  const { name, isTestNetwork, explorerTransactionUrl, publicRpcUrl, nativeCurrency } = knownChain(id);
  const listed = LISTED.find((chain) => chain.id === id);
  expect(listed).toMatchObject({ name, blockExplorers: { default: { url: new URL(explorerTransactionUrl!).origin } } });
  expect(isTestNetwork).toBe(listed && 'testnet' in listed ? listed.testnet : false);
  expect(nativeCurrency).toMatchObject({ symbol: 'ETH', decimals: listed?.nativeCurrency.decimals });
  expect(explorerTransactionUrl).toMatch(/^https:\/\/[a-z.]+\/tx\/\{hash\}$/);
  expect(publicRpcUrl).toMatch(/^https:\/\//);
});

test('a chain that is not known has its number for a name, no explorer, and counts as real money', () => {
  expect(knownChain(999_999_937)).toMatchObject({
    name: 'Chain 999999937',
    isTestNetwork: false,
    explorerTransactionUrl: null,
    publicRpcUrl: null,
  });
});

test('the local chain is a test network without an explorer', () => {
  expect(knownChain(31337)).toMatchObject({ isTestNetwork: true, explorerTransactionUrl: null });
});
