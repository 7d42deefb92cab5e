import type { WireNodeState } from '#libs/contracts';
import { type Ancestor, closedBacker } from './ancestors.js';

const NOW = 1_795_000_000_000;

const node = (number: number, own: Partial<Ancestor> = {}): Ancestor =>
  ({ number, state: 'funded', clock: new Date(NOW), hirerFunded: false, ...own }) as Ancestor;

/** A parent on level 3, its parent, and the root; the nearest first. */
const line = (...own: Partial<Ancestor>[]): Ancestor[] =>
  [3, 2, 1].map((number, index) => node(number, { hirerFunded: number === 1, ...own[index] }));

describe('the backers of a node that would be hired', () => {
  it.each<WireNodeState>(['funded', 'delivered', 'disputed', 'released'])('are open while they are %s', (state) => {
    expect(closedBacker(line({}, { state }, { state }), NOW + 1)).toBeUndefined();
  });

  it('are closed by the nearest one that was refunded', () => {
    expect(closedBacker(line({}, { state: 'refunded' }, { state: 'refunded' }), NOW)?.number).toBe(2);
    expect(closedBacker(line({}, {}, { state: 'refunded' }), NOW)?.number).toBe(1);
  });

  it('are closed by a rejection from the moment after its clock', () => {
    const rejected = line({}, { state: 'rejected' });
    expect(closedBacker(rejected, NOW)).toBeUndefined();
    expect(closedBacker(rejected, NOW + 1)?.number).toBe(2);
  });

  it('end with the first node that its hirer paid for itself', () => {
    expect(closedBacker(line({ hirerFunded: true }, { state: 'refunded' }), NOW)).toBeUndefined();
    expect(closedBacker(line({}, { hirerFunded: true }, { state: 'refunded' }), NOW)).toBeUndefined();
    expect(closedBacker(line({}, { hirerFunded: true, state: 'refunded' }), NOW)?.number).toBe(2);
  });

  it('do not exist for a root node', () => {
    expect(closedBacker([node(1, { hirerFunded: true })], NOW)).toBeUndefined();
  });
});
