import type { HiredNode } from '../../earnings/hired-nodes.js';
import { lapsedOf } from './refund-balances.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const NOW = 1_795_000_000;

function hired(path: bigint, change: Partial<HiredNode> = {}): HiredNode {
  const own = { id: `node_1_${path}`, path, hirerWallet: WALLET, clock: NOW - 1, returned: 10n } as const;
  return { ...own, state: 'disputed', ...change };
}

describe('the nodes whose passed time limit has sent money back to a wallet', () => {
  it.each<[string, Partial<HiredNode>, boolean]>([
    ['a ruling that never came', {}, true],
    ['a rejection that nobody contested', { state: 'rejected' }, true],
    ['a limit that has not passed', { clock: NOW }, false],
    ['a delivery', { state: 'delivered' }, false],
    ['work that was not delivered', { state: 'funded' }, false],
    ['a node that another wallet has paid for', { hirerWallet: OTHER }, false],
    ['a dispute whose floor is the price', { returned: 0n }, false],
  ])('%s', (_what, change, isOne) => {
    expect(lapsedOf([hired(1n, change)], WALLET, NOW)).toEqual(isOne ? [1n] : []);
  });

  it('are those with the most money first, behind however many that give nothing back', () => {
    const nothing = Array.from({ length: 250 }, (_, index) => hired(BigInt(index + 1), { returned: 0n }));
    const some = [hired(300n, { returned: 3n }), hired(301n, { returned: 9n }), hired(302n, { returned: 3n })];
    expect(lapsedOf([...nothing, ...some], WALLET, NOW)).toEqual([301n, 300n, 302n]);
  });
});
