import { Clusters } from './clusters.js';

describe('clusters of accounts', () => {
  it('leave an account without facts in a cluster of its own', () => {
    const clusters = new Clusters();
    clusters.joinByWallet('acct_a', '0x1');
    expect(clusters.clusterOf('acct_a')).toBe('acct_a');
    expect(clusters.clusterOf('acct_never')).toBe('acct_never');
    expect([...clusters.merged()]).toEqual([]);
  });

  it('join accounts over shared wallets, however long the chain is', () => {
    const clusters = new Clusters();
    for (const [account, wallet] of [
      ['acct_c', '0x1'],
      ['acct_b', '0x1'],
      ['acct_b', '0x2'],
      ['acct_a', '0x2'],
      ['acct_d', '0x3'],
    ] as const) {
      clusters.joinByWallet(account, wallet);
    }
    expect(['acct_a', 'acct_b', 'acct_c', 'acct_d'].map((id) => clusters.clusterOf(id))).toEqual([
      'acct_a',
      'acct_a',
      'acct_a',
      'acct_d',
    ]);
    expect([...clusters.merged()].map(({ account }) => account).toSorted()).toEqual(['acct_b', 'acct_c']);
  });

  it('have the same names in whatever order the facts come', () => {
    const facts: [string, string][] = [
      ['acct_4', 'acct_3'],
      ['acct_2', 'acct_5'],
      ['acct_3', 'acct_2'],
      ['acct_1', 'acct_9'],
      ['acct_9', 'acct_8'],
    ];
    const named = (order: readonly [string, string][]) => {
      const clusters = new Clusters();
      for (const [one, other] of order) clusters.join(one, other);
      return [1, 2, 3, 4, 5, 8, 9].map((n) => clusters.clusterOf(`acct_${n}`));
    };
    const once = named(facts);
    expect(named(facts.toReversed())).toEqual(once);
    expect(once).toEqual(['acct_1', 'acct_2', 'acct_2', 'acct_2', 'acct_2', 'acct_1', 'acct_1']);
  });

  it('take a hundred thousand accounts in one chain', () => {
    const clusters = new Clusters();
    for (let i = 100_000; i > 0; i -= 1) clusters.join(`acct_${200_000 + i}`, `acct_${200_000 + i - 1}`);
    expect(clusters.clusterOf('acct_300000')).toBe('acct_200000');
  });
});
