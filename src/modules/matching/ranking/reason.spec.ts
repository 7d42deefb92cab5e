import type { MatchReputation } from './reputation-row.js';
import { MAX_REASON, type ReasonedCandidate, reasonOf } from './reason.js';

const record: MatchReputation = {
  score: 0.97,
  recentScore: 0.99,
  independenceConfidence: 0.8,
  settledValue: 1_000_000_000n,
  independentValue: 840_000_000n,
  independentBuyers: 14,
  pendingBuyers: 0,
  settlements: 41,
};

interface Case extends Partial<ReasonedCandidate> {
  isDiscovery?: boolean;
  anchored?: boolean;
}

function reason({ isDiscovery = false, anchored = true, ...change }: Case = {}): string {
  const candidate: ReasonedCandidate = {
    relevance: 100,
    similarity: 0,
    reputation: record,
    matchedCapabilities: ['solidity', 'audit'],
    matchesName: true,
    ...change,
  };
  return reasonOf({ candidate, isDiscovery }, anchored);
}

describe('the reason', () => {
  it('says what matched, what was settled and what the record rests on', () => {
    expect(reason({ similarity: 0.784 })).toBe(
      'Matches "solidity", "audit" in name and capabilities; settled a similar task (78 % alike) for an independent buyer; ' +
        '97 % success expected after 41 settlements, 99 % recent; 84 % of settled value from 14 independent buyers.',
    );
  });

  it.each<[string, Case, RegExp]>([
    ['a capability alone', { matchesName: false }, /^Matches "solidity", "audit" in capabilities;/],
    ['the name alone', { matchedCapabilities: [] }, /^Matches in its name;/],
    ['the description alone', { matchedCapabilities: [], matchesName: false }, /^Matches in its description;/],
    [
      'a settled brief alone, however faint',
      { matchedCapabilities: [], matchesName: false, relevance: 0, similarity: 0.1 },
      /^Settled a similar task \(10 % alike\)/,
    ],
    ['more than two capabilities', { matchedCapabilities: ['a', 'b', 'c'] }, /^Matches "a", "b" and more in name/],
  ])('names %s', (_, change, expected) => {
    expect(reason(change)).toMatch(expected);
  });

  it('leaves a faint similarity out when the texts match', () => {
    expect(reason({ similarity: 0.29 })).not.toContain('alike');
  });

  it.each<[string, Case, string]>([
    ['no ended work', { reputation: null }, 'new agent, no ended work yet.'],
    ['one settlement', { reputation: { ...record, settlements: 1 } }, 'after 1 settlement, 99 % recent; '],
    [
      'a market without verified buyers',
      { anchored: false },
      'independence is capped at 0.5, no verified buyers are set up.',
    ],
    [
      'money of buyers without a link',
      { reputation: { ...record, independentValue: 499_999_999n } },
      'most settled value comes from buyers with no link to verified accounts.',
    ],
    [
      'one independent buyer',
      { reputation: { ...record, independentValue: 500_000_000n, independentBuyers: 1 } },
      '50 % of settled value from 1 independent buyer.',
    ],
    [
      'buyers that no batch has seen',
      { reputation: { ...record, independentValue: 0n, pendingBuyers: 2 } },
      '2 buyers not yet checked for independence.',
    ],
    [
      'nothing paid out',
      { reputation: { ...record, settledValue: 0n, independentValue: 0n } },
      'nothing was paid out to it yet.',
    ],
  ])('says of %s what is known', (_, change, expected) => {
    expect(reason(change)).toContain(expected);
  });

  it('says that a place is for discovery, and what is missing', () => {
    expect(reason({ isDiscovery: true, reputation: null })).toBe(
      'New agent shown for discovery: matches "solidity", "audit" in name and capabilities; no independent settlements yet.',
    );
    expect(reason({ isDiscovery: true, reputation: { ...record, settlements: 3 } })).toContain(
      'few independent settlements yet.',
    );
  });

  it('does not mention independent buyers when no buyer is verified', () => {
    expect(reason({ similarity: 0.5, anchored: false })).toContain('settled a similar task (50 % alike); ');
  });

  it.each([
    ['direction overrides and isolates', '\u202e\u2066audit\u2069\u202c'],
    ['controls and line breaks', 'au\u0000dit\r\n\u001b[31m\u2028\u0085'],
    ['quotation marks', '"; 99 % success \u201c\u201d\u201e\uff02«»\u2033'],
    ['nothing that can be seen', '\u200b\u200d\ufeff\u2060'],
    ['tags', '\u{e0041}\u{e0042}x'],
    ['emoji', '😀'.repeat(64)],
    ['half a character', '\ud83d'.repeat(64)],
    ['very long words', 'x'.repeat(100_000)],
  ])('stays one quoted line of at most 240 characters with %s in a capability', (_, hostile) => {
    for (const isDiscovery of [true, false]) {
      for (const anchored of [true, false]) {
        const text = reason({
          isDiscovery,
          anchored,
          matchedCapabilities: [hostile, hostile, hostile],
          similarity: 1,
          reputation: { ...record, settledValue: 10n ** 40n, settlements: 2_147_483_647, independentValue: 1n },
        });
        expect(Array.from(text).length).toBeLessThanOrEqual(MAX_REASON);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(text).not.toMatch(/[\u201c-\u201f\u2033\uff02«»]/u);
        expect((text.split('"').length - 1) % 2).toBe(0);
        expect(text.endsWith('.')).toBe(true);
      }
    }
  });

  it('names fewer capabilities rather than stop in the middle', () => {
    const long = 'c'.repeat(64);
    const text = reason({ matchedCapabilities: [long, long], similarity: 1 });
    expect(text).toMatch(/^Matches "c{19}…" and more in name and capabilities; /);
    expect(text).toContain('from 14 independent buyers.');
  });

  it('is never empty, whatever is known', () => {
    for (const reputation of [null, record, { ...record, independentValue: 0n }]) {
      for (const similarity of [0, 1]) {
        for (const isDiscovery of [true, false]) {
          expect(reason({ reputation, similarity, isDiscovery, matchedCapabilities: [] })).not.toBe(
            'Matches the task.',
          );
        }
      }
    }
  });
});
