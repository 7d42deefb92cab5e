import { checkedInstant, instantOf } from './instant.js';

describe('an instant', () => {
  it.each([
    ['2026-11-27T12:55:00Z', '2026-11-27T12:55:00.000Z'],
    ['2026-11-27T12:55:00.999Z', '2026-11-27T12:55:00.000Z'],
    ['2026-11-27T12:55:00.123456789Z', '2026-11-27T12:55:00.000Z'],
    ['2026-11-27T12:55:00+00:00', '2026-11-27T12:55:00.000Z'],
    ['2026-11-27T23:55:00-02:30', '2026-11-28T02:25:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2026-11-27t12:55:00z', '2026-11-27T12:55:00.000Z'],
    ['2026-11-27t12:55:00.5Z', '2026-11-27T12:55:00.000Z'],
    ['2026-11-27t23:55:00-02:30', '2026-11-28T02:25:00.000Z'],
  ])('%s is %s, in whole seconds', (text, instant) => {
    expect(instantOf(text)?.toISOString()).toBe(instant);
    expect(checkedInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    ['2026-02-30T12:00:00Z'],
    ['2026-02-29T12:00:00Z'],
    ['2026-13-01T12:00:00Z'],
    ['2026-11-27T24:00:00Z'],
    ['2026-11-27T12:60:00Z'],
    ['2026-11-27T12:55:60Z'],
    ['2026-11-27T12:55:00+24:00'],
    ['2026-11-27T12:55:00+01:60'],
    ['2026-11-27T12:55:00'],
    ['2026-11-27 12:55:00Z'],
    ['2026-11-27T12:55:00ZZ'],
    ['2026-11-27'],
    ['1795000000'],
    [''],
  ])('is not %j', (text) => {
    expect(instantOf(text)).toBeNull();
    expect(() => checkedInstant(text)).toThrow(TypeError);
  });

  it('that is absent stays absent', () => {
    expect(checkedInstant(undefined)).toBeUndefined();
  });
});
