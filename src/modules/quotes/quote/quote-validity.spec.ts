import { offerTimesFault } from './quote-validity.js';

const NOW = 1_795_000_000;
const HOUR = 3_600;
const DAY = 86_400;

describe('the times of an offer', () => {
  const root = { workSeconds: 7 * DAY, validUntil: NOW + 3 * DAY, isRoot: true };
  const child = { ...root, isRoot: false };

  it.each([
    [root],
    [{ ...root, validUntil: NOW + 600 }],
    [{ ...root, validUntil: NOW + 30 * DAY }],
    [{ ...root, workSeconds: DAY }],
    [{ ...root, workSeconds: 365 * DAY }],
    [{ ...child, workSeconds: HOUR }],
    [{ ...child, workSeconds: 365 * DAY }],
  ])('%j are in range', (offer) => {
    expect(offerTimesFault(offer, NOW)).toBeNull();
  });

  it.each([
    [{ ...root, validUntil: NOW + 599 }, 'valid_until lies'],
    [{ ...root, validUntil: NOW + 30 * DAY + 1 }, 'valid_until lies'],
    [{ ...root, workSeconds: DAY - 1 }, '24 hours to 365 days'],
    [{ ...root, workSeconds: 365 * DAY + 1 }, '24 hours to 365 days'],
    [{ ...child, workSeconds: HOUR - 1 }, 'one hour to 365 days'],
    [{ ...child, workSeconds: -1 }, 'one hour to 365 days'],
    [{ ...root, workSeconds: 7 * DAY + 0.5 }, 'whole seconds'],
    [{ ...root, validUntil: Number.NaN }, 'whole seconds'],
  ])('%j are refused', (offer, fault) => {
    expect(offerTimesFault(offer, NOW)).toContain(fault);
  });
});
