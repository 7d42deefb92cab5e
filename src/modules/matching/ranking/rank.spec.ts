import { BLEND } from '../relevance/matching-constants.js';
import { rank, RankedPlaces, type RankedReputation, type RankingCandidate, relevanceShares } from './rank.js';

const record: RankedReputation = { score: 0.97, independenceConfidence: 0.5, independentSettlements: 34 };

function agent(agentId: string, change: Partial<RankingCandidate> = {}): RankingCandidate {
  return {
    agentId,
    ownerCluster: `of ${agentId}`,
    relevance: 1_000,
    similarity: 0,
    reputation: null,
    liveNodes: 0,
    impressions: 0,
    ...change,
  };
}

const ranked = (candidates: readonly RankingCandidate[], limit = 1_000) =>
  rank(candidates, limit).map(({ candidate, score }) => [candidate.agentId, score]);

describe('the score', () => {
  it('blends by shares that sum to 1', () => {
    expect(Object.values(BLEND).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('of a perfect idle agent is 0.6 + 0.25·score + 0.05·independence + 0.1', () => {
    expect(rank([agent('a', { reputation: record })], 10)).toEqual([
      {
        candidate: expect.objectContaining({ agentId: 'a' }),
        rank: 1,
        score: 0.9675,
        parts: { relevance: 1, score: 0.97, independence: 0.5, priceFit: 1, idle: 1 },
        isDiscovery: false,
      },
    ]);
  });

  it('counts relevance as a share of the best', () => {
    // 0.6·1 + 0.2 + 0.1 and 0.6·0.25 + 0.2 + 0.1
    expect(ranked([agent('a', { relevance: 100 }), agent('b', { relevance: 400 })])).toEqual([
      ['b', 0.9],
      ['a', 0.45],
    ]);
  });

  it('adds the square of the similarity to the share of the texts', () => {
    // Sums 1, 0.5 + 0.81 = 1.31 and 0 + 0.36; as shares of the best 0.763359, 1 and 0.274809
    const shares = relevanceShares([
      { relevance: 800, similarity: 0 },
      { relevance: 400, similarity: 0.9 },
      { relevance: 0, similarity: 0.6 },
    ]);
    expect(shares.map((share) => share.toFixed(6))).toEqual(['0.763359', '1.000000', '0.274809']);
  });

  it('gives an agent without a reputation the prior, 0.8', () => {
    const good = agent('b', { reputation: { ...record, score: 0.81, independenceConfidence: 0 } });
    const bad = agent('c', { reputation: { ...record, score: 0.79, independenceConfidence: 0 } });
    expect(ranked([agent('a'), bad, good])).toEqual([
      ['b', 0.9025],
      ['a', 0.9],
      ['c', 0.8975],
    ]);
  });

  it('prefers the idle agent, up to a full load', () => {
    const busy = [agent('a', { liveNodes: 99 }), agent('b', { liveNodes: 5 }), agent('c')];
    expect(ranked(busy)).toEqual([
      ['c', 0.9],
      ['b', 0.875],
      ['a', 0.85],
    ]);
  });

  it('never falls when one part of it grows', () => {
    const rival = agent('rival', { relevance: 1_000, similarity: 1 });
    const scoreOf = (change: Partial<RankingCandidate>): number =>
      rank([rival, agent('a', { reputation: record, ...change })], 10).find(
        ({ candidate }) => candidate.agentId === 'a',
      )?.score ?? Number.NaN;
    for (let step = 0; step < 20; step += 1) {
      const [low, high] = [step / 20, (step + 1) / 20];
      expect(scoreOf({ relevance: 1_000 * high })).toBeGreaterThan(scoreOf({ relevance: 1_000 * low }));
      expect(scoreOf({ similarity: high })).toBeGreaterThanOrEqual(scoreOf({ similarity: low }));
      expect(scoreOf({ reputation: { ...record, score: high } })).toBeGreaterThan(
        scoreOf({ reputation: { ...record, score: low } }),
      );
      expect(scoreOf({ liveNodes: step + 1 })).toBeLessThanOrEqual(scoreOf({ liveNodes: step }));
    }
  });
});

describe('the ranking', () => {
  it('orders equal scores by agent id, whatever the order of the candidates', () => {
    const agents = ['c', 'a', 'b'].map((id) => agent(id));
    expect(ranked(agents).map(([id]) => id)).toEqual(['a', 'b', 'c']);
    expect(ranked(agents.toReversed())).toEqual(ranked(agents));
  });

  it('is the same for the same candidates in any order, and has each of them once', () => {
    const many = Array.from({ length: 137 }, (_, i) =>
      agent(`agent_${(i * 7919) % 1_000}`, {
        ownerCluster: `owner_${i % 9}`,
        relevance: (i * 37) % 101,
        similarity: (i % 4) / 4,
        reputation: i % 3 === 0 ? null : { ...record, score: (i % 10) / 10 },
        liveNodes: i % 12,
        impressions: i % 5,
      }),
    );
    const once = rank(many, 1_000);
    expect(rank(many.toReversed(), 1_000)).toEqual(once);
    expect(rank([...many.slice(60), ...many.slice(0, 60)], 1_000)).toEqual(once);
    const places = new RankedPlaces(many);
    expect([3, 3, 25, 1].map((count) => places.first(count))).toEqual(
      [3, 3, 25, 1].map((count) => once.slice(0, count)),
    );
    expect(places.first(1_000)).toEqual(once);
    expect(new Set(once.map(({ candidate }) => candidate.agentId)).size).toBe(137);
    expect(once.map(({ rank: place }) => place)).toEqual(once.map((_, index) => index + 1));
    expect(once.every(({ score }) => score >= 0 && score <= 1 && Math.round(score * 1e4) / 1e4 === score)).toBe(true);
    expect(rank(many, 25)).toEqual(once.slice(0, 25));
  });

  it('of no candidates is empty, and works without any relevance', () => {
    expect(rank([], 10)).toEqual([]);
    expect(ranked([agent('a', { relevance: 0 })])).toEqual([['a', 0.3]]);
  });
});
