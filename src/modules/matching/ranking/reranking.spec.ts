import { Seeded } from '../../../dev/eval/statistics/seeded.js';
import type { Placeable } from './diversity/placeable.js';
import { type Placement, placements } from './reranking.js';

/** Agents `e01`, `e02`, … with a reputation, each with a different owner, the best first. */
function established(count: number, change: (index: number) => Partial<Placeable> = () => ({})): Placeable[] {
  return Array.from({ length: count }, (_, index) => {
    const agentId = `e${String(index + 1).padStart(2, '0')}`;
    return {
      agentId,
      ownerCluster: agentId,
      relevance: 1,
      independentSettlements: 5,
      impressions: 9,
      ...change(index),
    };
  });
}

function newcomer(agentId: string, change: Partial<Placeable> = {}): Placeable {
  return { agentId, ownerCluster: agentId, relevance: 1, independentSettlements: 4.9, impressions: 0, ...change };
}

const placeAgents = (agents: readonly Placeable[], limit: number): Placement<Placeable>[] =>
  [...placements(agents)].slice(0, limit);

/** The number of agents of each owner. */
function perOwner(agents: readonly Placeable[]): number[] {
  const counts = new Map<string, number>();
  for (const { ownerCluster } of agents) counts.set(ownerCluster, (counts.get(ownerCluster) ?? 0) + 1);
  return [...counts.values()];
}

const idsOf = (agents: readonly Placeable[], limit = 100) =>
  placeAgents(agents, limit).map(({ agent }) => agent.agentId);

describe('place 6 of every ten', () => {
  it('goes to a newcomer from further down, and the last of the ten moves to the next page', () => {
    const placed = placeAgents([...established(12), newcomer('new')], 100);
    expect(placed.map(({ agent }) => agent.agentId).join(' ')).toBe(
      'e01 e02 e03 e04 e05 new e06 e07 e08 e09 e10 e11 e12',
    );
    expect(placed.flatMap(({ isDiscovery }, index) => (isDiscovery ? [index + 1] : []))).toEqual([6]);
  });

  it('goes to another newcomer in every further ten', () => {
    const ids = idsOf([...established(30), newcomer('new1'), newcomer('new2'), newcomer('new3')]);
    expect([ids[5], ids[15], ids[25]]).toEqual(['new1', 'new2', 'new3']);
    expect(new Set(ids).size).toBe(33);
  });

  it('goes to the least shown first, then the most relevant, then by id', () => {
    const rivals = [
      newcomer('shown', { impressions: 3, relevance: 1 }),
      newcomer('b', { relevance: 0.9 }),
      newcomer('a', { relevance: 0.9 }),
      newcomer('plain', { relevance: 0.85 }),
    ];
    expect(idsOf([...established(10), ...rivals])[5]).toBe('a');
    expect(idsOf([...established(10), ...rivals.toReversed()])[5]).toBe('a');
  });

  it('counts impressions over all agents of an owner, so that a new agent does not start at 0', () => {
    const farm = [
      newcomer('fresh', { ownerCluster: 'farm' }),
      newcomer('old', { ownerCluster: 'farm', impressions: 50 }),
    ];
    expect(idsOf([...established(10), ...farm, newcomer('honest', { impressions: 2 })])[5]).toBe('honest');
  });

  it('is not given to an agent with less than 80 % of the relevance of the last of the ten', () => {
    const last = established(10, (index) => ({ relevance: index === 9 ? 0.5 : 1 }));
    expect(idsOf([...last, newcomer('new', { relevance: 0.39 })])[5]).toBe('e06');
    expect(idsOf([...last, newcomer('new', { relevance: 0.4 })])[5]).toBe('new');
  });

  it('stays as it is where all fit on one page or nobody is new', () => {
    expect(idsOf([...established(9), newcomer('new')]).at(-1)).toBe('new');
    expect(idsOf(established(20))).toEqual(established(20).map(({ agentId }) => agentId));
  });

  it('is not given to an owner who already has two places in the ten', () => {
    const twice = established(10, (index) => (index < 2 ? { ownerCluster: 'both' } : {}));
    expect(idsOf([...twice, newcomer('third', { ownerCluster: 'both' }), newcomer('z', { impressions: 9 })])[5]).toBe(
      'z',
    );
  });
});

describe('an owner', () => {
  it('has two agents in a ten, and the others come first in the next', () => {
    const agents = established(14, (index) => (index < 5 ? { ownerCluster: 'one' } : {}));
    expect(idsOf(agents).join(' ')).toBe('e01 e02 e06 e07 e08 e09 e10 e11 e12 e13 e03 e04 e14 e05');
  });

  it('may have more than two when others cannot fill the ten', () => {
    const agents = established(12, (index) => (index < 10 ? { ownerCluster: 'one' } : {}));
    expect(idsOf(agents).join(' ')).toBe('e01 e02 e11 e12 e03 e04 e05 e06 e07 e08 e09 e10');
  });

  it('never has more than two in a ten while others are left, newcomers or not', () => {
    for (let owners = 8; owners < 20; owners += 1) {
      const agents = established(60, (index) => ({
        ownerCluster: `owner ${(index * 7) % owners}`,
        independentSettlements: index % 3 === 0 ? 0 : 9,
        impressions: index % 4,
      }));
      const placed = placeAgents(agents, 100).map(({ agent }) => agent);
      expect(new Set(placed).size).toBe(60);
      for (let start = 0; start < 60; start += 10) {
        const ten = placed.slice(start, start + 10);
        const left = placed.slice(start);
        const room = perOwner(left).reduce((sum, count) => sum + Math.min(2, count), 0);
        const most = Math.max(...perOwner(ten));
        expect(room >= 10 ? most : 0).toBeLessThanOrEqual(2);
      }
    }
  });

  it('keeps the order of scores among those that neither rule moves', () => {
    const placed = placeAgents([...established(25), newcomer('new1'), newcomer('new2')], 100);
    const kept = placed.filter(({ isDiscovery }) => !isDiscovery).map(({ agent }) => agent.agentId);
    expect(kept).toEqual(kept.toSorted());
  });
});

/**
 * A direct implementation of the two rules, page by page over all remaining agents; correct, but slow for many agents.
 */
function placedByRule(ordered: readonly Placeable[], limit: number): [string, boolean][] {
  const shownOf = ({ ownerCluster }: Placeable): number =>
    ordered.reduce((sum, other) => sum + (other.ownerCluster === ownerCluster ? other.impressions : 0), 0);
  const hasRoom = (agents: readonly Placeable[], { ownerCluster }: Placeable): boolean =>
    agents.filter((other) => other.ownerCluster === ownerCluster).length < 2;
  const placed: [string, boolean][] = [];
  let waiting = ordered;
  while (waiting.length > 0) {
    const varied = waiting.reduce<Placeable[]>(
      (ten, one) => (ten.length < 10 && hasRoom(ten, one) ? [...ten, one] : ten),
      [],
    );
    const ten = [...varied, ...waiting.filter((one) => !varied.includes(one)).slice(0, 10 - varied.length)];
    const others = waiting.filter((one) => !ten.includes(one));
    const [found] = others
      .filter((one) => one.independentSettlements < 5 && one.relevance >= 0.8 * (ten.at(-1)?.relevance ?? 0))
      .filter((one) => hasRoom(ten.slice(0, 9), one))
      .toSorted((a, b) => shownOf(a) - shownOf(b) || b.relevance - a.relevance || (a.agentId < b.agentId ? -1 : 1));
    const places = found === undefined ? ten : [...ten.slice(0, 5), found, ...ten.slice(5, 9)];
    placed.push(...places.map((one): [string, boolean] => [one.agentId, one === found]));
    waiting = waiting.filter((one) => !places.includes(one));
  }
  return placed.slice(0, limit);
}

it('the places of random agents are those of the rules, whoever owns them', () => {
  const chance = new Seeded(20261122);
  for (let round = 0; round < 400; round += 1) {
    const [owners, levels, shown, share] = [
      chance.pick([1, 3, 6, 12, 60]),
      1 + chance.below(8),
      1 + chance.below(4),
      chance.next(),
    ];
    const agents = Array.from({ length: chance.below(70) }, (_, index): Placeable => ({
      agentId: `agent ${(index * 7_919) % 1_000}`,
      ownerCluster: `owner ${chance.below(owners)}`,
      relevance: chance.below(levels + 1) / levels,
      independentSettlements: chance.chance(share) ? chance.below(5) : 9,
      impressions: chance.below(shown),
    }));
    const limit = chance.pick([1, 10, 15, 1_000]);
    const placed = placeAgents(agents, limit).map(({ agent, isDiscovery }) => [agent.agentId, isDiscovery]);
    expect(placed).toEqual(placedByRule(agents, limit));
  }
});
