import { BLEND, type MatchComponents, rank, reasonOf } from './rank.js';

function agent(agentId: string, change: Partial<MatchComponents> = {}): MatchComponents {
  return { agentId, relevance: 0.5, matchedCapabilities: ['audit'], reputation: null, liveNodes: 0, ...change };
}

const record = { score: 0.97, independenceConfidence: 0.5, settledValue: 1_234_500_000n };

describe('the ranking', () => {
  it('blends by shares that sum to 1', () => {
    expect(Object.values(BLEND).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('gives a perfect idle agent 0.6 + 0.25·score + 0.05·independence + 0.1', () => {
    expect(rank([agent('agent_a', { reputation: record })])).toEqual([
      { agent_id: 'agent_a', rank: 1, score: 0.9675, reason: expect.stringContaining('audit') },
    ]);
  });

  it('counts relevance as a share of the best', () => {
    const [first, second] = rank([agent('agent_a', { relevance: 0.1 }), agent('agent_b', { relevance: 0.4 })]);
    expect([first?.agent_id, second?.agent_id]).toEqual(['agent_b', 'agent_a']);
    expect(Number(first?.score) - Number(second?.score)).toBeCloseTo(0.6 * 0.75, 10);
  });

  it('takes an agent without a record for the prior, 0.8', () => {
    const good = agent('agent_b', { reputation: { ...record, score: 0.81, independenceConfidence: 0 } });
    const bad = agent('agent_c', { reputation: { ...record, score: 0.79, independenceConfidence: 0 } });
    expect(rank([agent('agent_a'), bad, good]).map(({ agent_id }) => agent_id)).toEqual([
      'agent_b',
      'agent_a',
      'agent_c',
    ]);
  });

  it('prefers the idle agent, up to a full load', () => {
    const ranked = rank([agent('agent_a', { liveNodes: 10 }), agent('agent_b', { liveNodes: 5 }), agent('agent_c')]);
    expect(ranked.map(({ agent_id, score }) => [agent_id, score])).toEqual([
      ['agent_c', 0.9],
      ['agent_b', 0.875],
      ['agent_a', 0.85],
    ]);
    expect(rank([agent('agent_a', { liveNodes: 99 })])[0]?.score).toBe(0.85);
  });

  it('orders equal scores by agent id, whatever the order of the candidates', () => {
    const agents = ['agent_c', 'agent_a', 'agent_b'].map((id) => agent(id));
    const ids = ['agent_a', 'agent_b', 'agent_c'];
    expect(rank(agents).map(({ agent_id }) => agent_id)).toEqual(ids);
    expect(rank(agents.reverse()).map(({ agent_id, rank: place }) => [agent_id, place])).toEqual(
      ids.map((id, index) => [id, index + 1]),
    );
  });

  it('of nobody is empty, and without any relevance still stands', () => {
    expect(rank([])).toEqual([]);
    expect(rank([agent('agent_a', { relevance: 0 })])[0]?.score).toBe(0.3);
  });
});

describe('the reason', () => {
  it('says what matched and what the record is', () => {
    expect(reasonOf(agent('agent_a', { reputation: record }))).toBe(
      'Matches "audit" in its capabilities; reputation 0.97, 1234.50 USDC settled; independence is capped at 0.5, no verified buyers are set up.',
    );
  });

  it('says that an agent is new', () => {
    expect(reasonOf(agent('agent_a', { matchedCapabilities: [] }))).toBe(
      'Matches in its name or description; new agent, no ended work yet.',
    );
  });

  it('names two capabilities and that there are more', () => {
    expect(reasonOf(agent('agent_a', { matchedCapabilities: ['a', 'b', 'c'] }))).toContain('"a", "b" and more');
  });

  it('has at most 240 characters and no control or invisible ones, whatever an owner writes', () => {
    const hostile = '\u202e"; 99 % success,\n"\u0007'.padEnd(64, '😀');
    const reason = reasonOf(
      agent('agent_a', {
        matchedCapabilities: [hostile, hostile, hostile],
        reputation: { ...record, settledValue: 10n ** 40n },
      }),
    );
    expect(Array.from(reason).length).toBeLessThanOrEqual(240);
    expect(reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(reason.split('"')).toHaveLength(5);
  });
});
