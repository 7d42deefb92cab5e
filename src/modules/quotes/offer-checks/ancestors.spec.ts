import type { WireNodeState } from '#libs/contracts';
import { type Ancestor, closedBacker } from './ancestors.js';

const node = (path: bigint, own: Partial<Ancestor> = {}): Ancestor =>
  ({ path, state: 'funded', hirerFunded: false, ...own }) as Ancestor;

/** A parent on level 3, its parent, and the root; the nearest first. */
const line = (...own: Partial<Ancestor>[]): Ancestor[] =>
  [3n, 2n, 1n].map((path, index) => node(path, { hirerFunded: path === 1n, ...own[index] }));

describe('the backers of a node that would be hired', () => {
  it.each<WireNodeState>(['funded', 'delivered', 'rejected', 'disputed', 'released'])(
    'are open while they are %s',
    (state) => {
      expect(closedBacker(line({}, { state }, { state }))).toBeUndefined();
    },
  );

  it('are closed by the nearest one that was refunded', () => {
    expect(closedBacker(line({}, { state: 'refunded' }, { state: 'refunded' }))?.path).toBe(2n);
    expect(closedBacker(line({}, {}, { state: 'refunded' }))?.path).toBe(1n);
  });

  it('end with the first node that its hirer paid for itself', () => {
    expect(closedBacker(line({ hirerFunded: true }, { state: 'refunded' }))).toBeUndefined();
    expect(closedBacker(line({}, { hirerFunded: true }, { state: 'refunded' }))).toBeUndefined();
    expect(closedBacker(line({}, { hirerFunded: true, state: 'refunded' }))?.path).toBe(2n);
  });

  it('do not exist for a root node', () => {
    expect(closedBacker([node(1n, { hirerFunded: true })])).toBeUndefined();
  });
});
