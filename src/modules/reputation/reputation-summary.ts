import { PRIOR_MEAN, UNANCHORED_CONFIDENCE_CAP } from './score/reputation-constants.js';

/** The numbers of a summary; scores in [0, 1], values in base units. */
export interface SummaryFacts {
  score: number;
  careerScore: number;
  recentScore: number;
  settledValue: bigint;
  independentValue: bigint;
  settlements: number;
  buyers: number;
  independentBuyers: number;
  pendingBuyers: number;
  anchored: boolean;
}

/** An agent's reputation as sentences. They contain numbers only, and no text of any user. */
export function summaryOf(facts: SummaryFacts): string {
  return [workSentence(facts), buyersSentence(facts), pendingSentence(facts)].filter((one) => one !== '').join(' ');
}

function workSentence({ score, careerScore, recentScore, settlements, buyers }: SummaryFacts): string {
  if (settlements === 0) {
    return `No work of this agent for others has ended yet: ${PRIOR_MEAN.toFixed(2)} is the score that everybody starts with.`;
  }
  const work = `${counted(settlements, 'settlement')} for ${counted(buyers, 'buyer')}`;
  const parts = `${careerScore.toFixed(2)} over its career, ${recentScore.toFixed(2)} lately`;
  return `Score ${score.toFixed(2)} from ${work}: ${parts}.`;
}

function buyersSentence(facts: SummaryFacts): string {
  const { anchored, buyers, independentBuyers, independentValue, settledValue } = facts;
  if (!anchored) {
    return (
      "No buyers of this market are verified, so nothing tells independent buyers from an owner's own: " +
      `independence confidence is capped at ${UNANCHORED_CONFIDENCE_CAP.toFixed(1)}.`
    );
  }
  if (buyers === 0) return '';
  const share = settledValue === 0n ? 0 : Number((independentValue * 100n) / settledValue);
  const who =
    independentBuyers === 0
      ? 'None of its buyers is independent by the money that joins them to verified buyers'
      : `${independentBuyers} of its buyers ${independentBuyers === 1 ? 'is' : 'are'} independent`;
  return `${who}; ${share} % of its settled value counts as from independent buyers.`;
}

function pendingSentence({ anchored, pendingBuyers }: SummaryFacts): string {
  if (!anchored || pendingBuyers === 0) return '';
  return `${counted(pendingBuyers, 'buyer')} ${pendingBuyers === 1 ? 'is' : 'are'} new: good work for them counts after the next trust run.`;
}

function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
