import { markedLine } from '#libs/kernel';
import { independentSettlementsOf, type MatchReputation } from './reputation-row.js';
import type { RankingCandidate } from './rank.js';

/** The facts that a reason states. */
export interface ReasonedCandidate extends Pick<RankingCandidate, 'relevance' | 'similarity'> {
  /** Null for an agent without ended work. */
  reputation: MatchReputation | null;
  /** Capabilities of the agent that the task asks for, as its owner wrote them. */
  matchedCapabilities: readonly string[];
  /** True when the agent's name has a word of the task. */
  matchesName: boolean;
}

/** The parts of a placed candidate that its reason depends on. */
type ReasonedMatch = Pick<Reasoned, 'candidate' | 'isDiscovery'>;

/** An agent, and whether its place is a discovery place. */
export interface Reasoned {
  candidate: ReasonedCandidate;
  isDiscovery: boolean;
}

/** Longest reason, in characters. rule: docs/decisions/ranking.md#reasons */
export const MAX_REASON = 240;
/** Least similarity at which a reason mentions a settled brief. (policy) */
const SHOWN_SIMILARITY = 0.3;
/** Percentage of settled value from which independent buyers are said to have paid the most. */
const MOST = 50;
/** Characters that a reader could take for the end of a quotation. */
const QUOTATION_MARKS = /["\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02«»]/gu;
/** Number of named capabilities and characters of each, in the order of trial; the first that fits is used. */
const NAMED: readonly { count: number; length: number }[] = [
  { count: 2, length: 40 },
  { count: 1, length: 40 },
  { count: 1, length: 20 },
  { count: 0, length: 0 },
];

/**
 * The reason for an agent's place, from its stored components alone: one line of at most 240 characters, without
 * control and hidden characters. rule: docs/decisions/ranking.md#reasons
 * @param anchored true when the operator has verified buyers.
 */
export function reasonOf(ranked: ReasonedMatch, anchored: boolean): string {
  for (const { count, length } of NAMED) {
    const text = sentence(ranked, anchored, count, length);
    // A text never has more characters than code units, so a short text needs no count.
    if (text.length <= MAX_REASON || Array.from(text).length <= MAX_REASON) return text;
  }
  return 'Matches the task.';
}

function sentence({ candidate, isDiscovery }: ReasonedMatch, anchored: boolean, count: number, length: number): string {
  const matches = [textMatch(candidate, count, length), similarTask(candidate, anchored)];
  const said = isDiscovery
    ? [...matches, newness(candidate.reputation)]
    : [...matches, ...record(candidate.reputation, anchored)];
  const text = said.filter((clause) => clause !== '').join('; ');
  if (isDiscovery) return `New agent shown for discovery: ${text}.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function textMatch(
  { matchedCapabilities, matchesName, relevance }: ReasonedCandidate,
  count: number,
  length: number,
): string {
  const named = matchedCapabilities.slice(0, count).map((capability) => quoted(capability, length));
  const more = named.length > 0 && matchedCapabilities.length > count ? ' and more' : '';
  const what = named.length > 0 ? `matches ${named.join(', ')}${more}` : 'matches';
  if (matchedCapabilities.length > 0) return `${what} in ${matchesName ? 'name and ' : ''}capabilities`;
  if (matchesName) return `${what} in its name`;
  return relevance > 0 ? `${what} in its description` : '';
}

function similarTask({ similarity, relevance, matchedCapabilities }: ReasonedCandidate, anchored: boolean): string {
  const isAllInCommon = relevance <= 0 && matchedCapabilities.length === 0;
  if (similarity < SHOWN_SIMILARITY && !isAllInCommon) return '';
  return `settled a similar task (${percent(similarity)} alike)${anchored ? ' for an independent buyer' : ''}`;
}

function newness(reputation: MatchReputation | null): string {
  return reputation !== null && independentSettlementsOf(reputation) > 0
    ? 'few independent settlements yet'
    : 'no independent settlements yet';
}

function record(reputation: MatchReputation | null, anchored: boolean): string[] {
  if (reputation === null || reputation.settlements === 0) return ['new agent, no ended work yet'];
  const { score, recentScore, settlements } = reputation;
  const over = counted(settlements, 'settlement');
  return [
    `${percent(score)} success expected after ${over}, ${percent(recentScore)} recent`,
    independence(reputation, anchored),
  ];
}

function independence(
  { settledValue, independentValue, independentBuyers, pendingBuyers }: MatchReputation,
  anchored: boolean,
): string {
  if (!anchored) return 'independence is capped at 0.5, no verified buyers are set up';
  if (settledValue === 0n) return 'nothing was paid out to it yet';
  const hundredths = Number((independentValue * 100n) / settledValue);
  if (hundredths >= MOST) {
    return `${hundredths} % of settled value from ${counted(independentBuyers, 'independent buyer')}`;
  }
  if (pendingBuyers > 0) return `${counted(pendingBuyers, 'buyer')} not yet checked for independence`;
  return 'most settled value comes from buyers with no link to verified accounts';
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/**
 * Quotes an owner's text without quotation marks of its own, so that the text cannot end the quotation and continue in
 * the market's voice.
 */
function quoted(capability: string, length: number): string {
  const line = markedLine(capability).replace(QUOTATION_MARKS, "'");
  const letters = Array.from(line);
  return `"${letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : line}"`;
}
