import { isAvailableAt } from '../../../agents/agent/agent.lifecycle.js';
import { Availability } from './availability.js';

const AT = Date.parse('2026-11-20T12:00:00.000Z');

describe('the availability of agents', () => {
  it.each([true, false])(
    'is that of the lifecycle, before, at and after the end of what was said (%s)',
    (available) => {
      const kept = new Availability();
      for (const [agent, untilMs] of [null, AT - 1, AT, AT + 1].entries()) {
        kept.set(agent, available, untilMs);
        const availableUntil = untilMs === null ? null : new Date(untilMs);
        const expected = isAvailableAt({ status: 'active', available, availableUntil }, new Date(AT));
        expect([untilMs, kept.isAvailable(agent, AT)]).toEqual([untilMs, expected]);
      }
    },
  );

  it('is over at once when it is set with an end in the past', () => {
    const kept = new Availability();
    for (const [agent, untilMs] of [-AT, -1, 0].entries()) {
      kept.set(agent, true, untilMs);
      kept.set(agent + 10, false, untilMs);
      expect([kept.isAvailable(agent, AT), kept.isAvailable(agent + 10, AT)]).toEqual([false, true]);
    }
  });

  it('grows with the numbers of agents, and keeps what it knew', () => {
    const kept = new Availability();
    kept.set(3, true, null);
    kept.set(5_000_000, true, AT);
    expect([3, 4, 5_000_000].map((agent) => kept.isAvailable(agent, AT))).toEqual([true, false, false]);
    expect(kept.bytes).toBeLessThan(8 * 5_000_001 + 100);
  });
});
