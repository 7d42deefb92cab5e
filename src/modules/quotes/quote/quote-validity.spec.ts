import { offerTimesFault } from './quote-validity.js';

const NOW = 1_795_000_000;
const DAY = 86_400;

describe('the times of an offer', () => {
  const times = { deliverBy: NOW + 7 * DAY, validUntil: NOW + 3 * DAY };

  it.each([
    [times],
    [{ ...times, validUntil: NOW + 600 }],
    [{ deliverBy: NOW + 30 * DAY, validUntil: NOW + 30 * DAY }],
    [{ deliverBy: NOW + DAY, validUntil: NOW + DAY }],
    [{ ...times, deliverBy: NOW + 365 * DAY }],
  ])('%j are in range', (offer) => {
    expect(offerTimesFault(offer, NOW)).toBeNull();
  });

  it.each([
    [{ ...times, validUntil: NOW + 599 }, 'valid_until lies'],
    [{ deliverBy: NOW + 60 * DAY, validUntil: NOW + 30 * DAY + 1 }, 'valid_until lies'],
    [{ deliverBy: NOW + DAY - 1, validUntil: NOW + 600 }, 'deadline lies'],
    [{ ...times, deliverBy: NOW + 365 * DAY + 1 }, 'deadline lies'],
    [{ deliverBy: NOW + 2 * DAY, validUntil: NOW + 2 * DAY + 1 }, 'not after deadline'],
    [{ ...times, deliverBy: NOW + 7 * DAY + 0.5 }, 'whole seconds'],
    [{ ...times, validUntil: Number.NaN }, 'whole seconds'],
  ])('%j are refused', (offer, fault) => {
    expect(offerTimesFault(offer, NOW)).toContain(fault);
  });
});
