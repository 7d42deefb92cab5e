import { type AgentAttributes, FACT_LINES, FACT_NUMBERS, factsOf, AgentAttributeColumns } from './agent-attributes.js';
import { linesOf, StringArena } from '#libs/text-search';

const facts = (change: Partial<AgentAttributes> = {}): AgentAttributes => ({
  agentId: 'agent_a',
  accountId: 'acct_1',
  ownerCluster: 'acct_1',
  walletAddress: '0x01',
  liveNodes: 3,
  impressions: 2,
  reputation: { score: 0.8765, independenceConfidence: 0.1234, independentSettlements: 7 / 3 },
  ...change,
});

/** An agent's attributes after a copy to a place behind other data; null when nothing is known of the agent. */
function copied(known: AgentAttributeColumns, agent: number): AgentAttributes | null {
  const [numbers, lines] = [new Float64Array(2 + FACT_NUMBERS), new StringArena()];
  lines.append(['before']);
  const isKnown = known.copy(agent, numbers, 2, lines);
  const texts = linesOf(lines.bytes);
  expect(texts).toHaveLength(isKnown ? 1 + FACT_LINES : 1);
  return isKnown ? factsOf(numbers, 2, texts, 1) : null;
}

describe('what is known of agents', () => {
  it('is what was set last for each, to the last digit', () => {
    const known = new AgentAttributeColumns();
    const owner = { accountId: 'acct_2', ownerCluster: 'cluster', walletAddress: '0x02' };
    const told = new Map([
      [0, facts()],
      [7, facts({ agentId: 'agent_b', reputation: null })],
      [8, facts({ agentId: 'agent_c', ...owner, impressions: 2_147_483_647, liveNodes: 0 })],
      [9, facts({ agentId: 'agent_d', ...owner })],
    ]);
    for (const [agent, said] of told) known.set(agent, said);
    for (const [agent, said] of told) expect(copied(known, agent)).toEqual(said);
    known.set(8, facts({ agentId: 'agent_c', ...owner, ownerCluster: 'other' }));
    expect(copied(known, 8)).toMatchObject({ ownerCluster: 'other', accountId: 'acct_2' });
    expect(copied(known, 9)).toEqual(told.get(9));
    known.set(0, facts({ reputation: null }));
    expect(copied(known, 0)?.reputation).toBeNull();
    known.set(7, facts({ agentId: 'agent_of_another_name' }));
    expect(copied(known, 7)?.agentId).toBe('agent_of_another_name');
  });

  it('is null for an agent that was never set', () => {
    const known = new AgentAttributeColumns();
    known.set(5, facts());
    expect([4, 6, 1_000_000].map((agent) => copied(known, agent))).toEqual([null, null, null]);
  });

  it('grows with the numbers of agents, and keeps what it knew', () => {
    const known = new AgentAttributeColumns();
    known.set(3, facts({ reputation: null }));
    known.set(2_000_000, facts({ agentId: 'agent_z' }));
    expect([3, 2_000_000].map((agent) => copied(known, agent)?.agentId)).toEqual(['agent_a', 'agent_z']);
    expect(copied(known, 3)).toEqual(facts({ reputation: null }));
    expect(known.bytes).toBeLessThan(56 * 2_000_001 + 5_000);
  });

  it('takes no more memory however often it is set again', () => {
    const known = new AgentAttributeColumns();
    known.set(1, facts());
    const { bytes } = known;
    for (let times = 0; times < 10_000; times += 1) known.set(1, facts({ impressions: times }));
    expect(known.bytes).toBe(bytes);
    expect(copied(known, 1)?.impressions).toBe(9_999);
  });
});
