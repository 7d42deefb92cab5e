import { CURRENT_VERSION, PUBLISHED_VERSIONS, versionServing } from './api-versions.js';

it.each([
  ['2026-08-16', '2026-08-16'],
  ['2026-08-17', '2026-08-16'],
  ['2026-10-01', '2026-08-16'],
  ['2026-11-19', '2026-08-16'],
  ['2026-11-20', '2026-11-20'],
])('%s is served with %s', (date, version) => {
  expect(versionServing(date)).toBe(version);
});

it.each(['0001-01-01', '2026-08-15', '2026-11-21', '9999-12-31'])('%s is served with none', (date) => {
  expect(versionServing(date)).toBeNull();
});

it('the newest version is the current one, and the list is in order', () => {
  expect(PUBLISHED_VERSIONS.at(-1)).toBe(CURRENT_VERSION);
  expect([...PUBLISHED_VERSIONS].sort()).toEqual([...PUBLISHED_VERSIONS]);
});
