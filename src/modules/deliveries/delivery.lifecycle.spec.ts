import type { DeliveryStatus } from './delivery.entity.js';
import { DELIVERY_TRANSITIONS, deliveryAfter, type DeliveryEvent, deliveryStatusOf } from './delivery.lifecycle.js';

const STATUSES: readonly DeliveryStatus[] = ['submitted', 'available', 'rejected', 'released'];
const EVENTS: readonly DeliveryEvent[] = ['stored', 'released', 'rejected'];

describe('the life of a delivery', () => {
  it.each<[DeliveryStatus, DeliveryStatus[]]>([
    ['submitted', ['available', 'released', 'rejected']],
    ['available', ['available', 'released', 'rejected']],
    ['rejected', ['rejected', 'released', 'rejected']],
    ['released', ['released', 'released', 'released']],
  ])('of one that is %s goes on as the table says', (status, after) => {
    expect(EVENTS.map((event) => deliveryAfter(status, event))).toEqual(after);
  });

  it('lists every status, and leaves a released one alone', () => {
    expect(Object.keys(DELIVERY_TRANSITIONS).toSorted()).toEqual(STATUSES.toSorted());
    expect(DELIVERY_TRANSITIONS.released).toEqual({});
  });

  it.each([
    ['submitted', 'delivered', 'submitted'],
    ['submitted', 'refunded', 'rejected'],
    ['rejected', 'rejected', 'rejected'],
    ['rejected', 'delivered', 'rejected'],
    ['rejected', 'refunded', 'rejected'],
    ['released', 'released', 'released'],
  ] as const)('of one that the chain has as %s, on a %s node, is %s', (status, node, shown) => {
    expect(deliveryStatusOf({ status }, node)).toBe(shown);
  });
});
