import { type Candidate, isEligible } from './eligibility.js';

const buyer = { accountId: 'acct_buyer', walletAddress: '0xBuyer' };
const candidate: Candidate = {
  status: 'active',
  available: true,
  accountId: 'acct_owner',
  walletAddress: '0xWorker',
  matchedCapabilities: ['audit'],
  relevance: 0.1,
};

describe('an agent is eligible', () => {
  it.each<[string, Partial<Candidate>]>([
    ['when it works and matches', {}],
    ['by a capability alone', { relevance: 0 }],
    ['by relevance alone', { matchedCapabilities: [] }],
  ])('%s', (_, change) => {
    expect(isEligible({ ...candidate, ...change }, buyer)).toBe(true);
  });

  it.each<[string, Partial<Candidate>]>([
    ['inactive', { status: 'inactive' }],
    ['retired', { status: 'retired' }],
    ['suspended', { status: 'suspended' }],
    ['not available', { available: false }],
    ["of the buyer's account", { accountId: 'acct_buyer' }],
    ["paid to the buyer's wallet", { walletAddress: '0xBuyer' }],
    ['nothing to do with the task', { matchedCapabilities: [], relevance: 0 }],
  ])('not when it is %s', (_, change) => {
    expect(isEligible({ ...candidate, ...change }, buyer)).toBe(false);
  });
});
