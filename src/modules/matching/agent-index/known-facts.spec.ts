import { type AgentFacts, KnownFacts } from './known-facts.js';

const facts = (change: Partial<AgentFacts> = {}): AgentFacts => ({
  agentId: 'agent_a',
  accountId: 'acct_1',
  ownerCluster: 'acct_1',
  walletAddress: '0x01',
  liveNodes: 3,
  impressions: 2,
  reputation: { score: 0.8765, independenceConfidence: 0.1234, independentSettlements: 7 / 3 },
  ...change,
});

describe('what is known of agents', () => {
  it('is what was last said of each, to the last digit', () => {
    const known = new KnownFacts();
    const owner = { accountId: 'acct_2', ownerCluster: 'cluster', walletAddress: '0x02' };
    const told = new Map([
      [0, facts()],
      [7, facts({ agentId: 'agent_b', reputation: null })],
      [8, facts({ agentId: 'agent_c', ...owner, impressions: 2_147_483_647, liveNodes: 0 })],
      [9, facts({ agentId: 'agent_d', ...owner })],
    ]);
    for (const [agent, said] of told) known.set(agent, said);
    for (const [agent, said] of told) expect(known.of(agent)).toEqual(said);
    known.set(8, facts({ agentId: 'agent_c', ...owner, ownerCluster: 'other' }));
    expect(known.of(8)).toMatchObject({ ownerCluster: 'other', accountId: 'acct_2' });
    expect(known.of(9)).toEqual(told.get(9));
    known.set(0, facts({ reputation: null }));
    expect(known.of(0)?.reputation).toBeNull();
  });

  it('is nothing of an agent that was never told of', () => {
    const known = new KnownFacts();
    known.set(5, facts());
    expect([4, 6, 1_000_000].map((agent) => known.of(agent))).toEqual([undefined, undefined, undefined]);
  });

  it('grows with the numbers of agents, and keeps what it knew', () => {
    const known = new KnownFacts();
    known.set(3, facts({ reputation: null }));
    known.set(2_000_000, facts({ agentId: 'agent_z' }));
    expect([3, 2_000_000].map((agent) => known.of(agent)?.agentId)).toEqual(['agent_a', 'agent_z']);
    expect(known.of(3)).toEqual(facts({ reputation: null }));
    expect(known.bytes).toBeLessThan(44 * 2_000_001 + 100);
  });
});
