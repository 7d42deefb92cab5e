import { packAgents, unpackAgents } from './agent-columns.js';
import type { IndexedAgent } from './known-facts.js';

const agent = (agentNumber: number, change: Partial<IndexedAgent['facts']> = {}): IndexedAgent => ({
  agentNumber,
  relevance: 2_147_483_647 - agentNumber,
  dot: 65_025 - agentNumber / 100,
  facts: {
    agentId: `agent_${agentNumber}`,
    accountId: 'acct_1',
    ownerCluster: 'wallet_0x01',
    walletAddress: '0x01',
    liveNodes: 3,
    impressions: 2,
    reputation: { score: 0.8765, independenceConfidence: 0.1234, independentSettlements: 7 / 3 },
    ...change,
  },
});

it('agents come out of their columns as they went in, also when these are copied between threads', () => {
  const agents = [agent(7), agent(1, { reputation: null }), agent(1_000_000, { liveNodes: 0, impressions: 0 })];
  expect(unpackAgents(structuredClone(packAgents(agents)))).toEqual(agents);
  expect(unpackAgents(packAgents([]))).toEqual([]);
});
