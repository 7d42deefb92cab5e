import { type EligibilityFacts, isEligible, refusalsOf } from './eligibility.js';

const buyer = { accountId: 'acct_buyer', cluster: 'cluster_buyer', walletAddress: '0xBuyer' };
const hirer = { accountId: 'acct_hirer', cluster: 'cluster_hirer', walletAddress: '0xHirer' };
const agent: EligibilityFacts = {
  status: 'active',
  available: true,
  accountId: 'acct_owner',
  ownerCluster: 'cluster_owner',
  walletAddress: '0xWorker',
  refusedBefore: false,
  relevance: 100,
  similarity: 0.5,
};

describe('an agent is eligible', () => {
  it.each<[string, Partial<EligibilityFacts>]>([
    ['when it works and matches', {}],
    ['by relevance alone', { similarity: 0 }],
    ['by a similar settled brief alone', { relevance: 0 }],
  ])('%s', (_, change) => {
    expect(isEligible({ ...agent, ...change }, buyer, [hirer])).toBe(true);
  });

  it.each<[string, Partial<EligibilityFacts>, string]>([
    ['inactive', { status: 'inactive' }, 'not_active'],
    ['retired', { status: 'retired' }, 'not_active'],
    ['suspended', { status: 'suspended' }, 'not_active'],
    ['not available', { available: false }, 'not_available'],
    ["of the buyer's account", { accountId: 'acct_buyer' }, 'same_cluster'],
    ["of the buyer's cluster", { ownerCluster: 'cluster_buyer' }, 'same_cluster'],
    ["paid to the buyer's wallet", { walletAddress: '0xBuyer' }, 'same_cluster'],
    ["of a hirer's cluster", { ownerCluster: 'cluster_hirer' }, 'hirer_above'],
    ["paid to a hirer's wallet", { walletAddress: '0xHirer' }, 'hirer_above'],
    ['one that refused the task', { refusedBefore: true }, 'refused_before'],
    ['a stranger to the task', { relevance: 0, similarity: 0 }, 'nothing_in_common'],
  ])('not when it is %s', (_, change, code) => {
    expect(isEligible({ ...agent, ...change }, buyer, [hirer])).toBe(false);
    expect(refusalsOf({ ...agent, ...change }, buyer, [hirer])).toEqual([
      { code, reason: expect.stringMatching(/^[A-Z].*\.$/) },
    ]);
  });

  it('not for several reasons at once, always told in the same order', () => {
    const worst = {
      ...agent,
      status: 'retired',
      available: false,
      accountId: 'acct_buyer',
      refusedBefore: true,
    } as const;
    expect(refusalsOf(worst, buyer).map(({ code }) => code)).toEqual([
      'not_active',
      'not_available',
      'same_cluster',
      'refused_before',
    ]);
  });
});
