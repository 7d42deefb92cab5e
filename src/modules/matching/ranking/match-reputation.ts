/** The parts of an agent's record (a row of `reputation_records`) that are shown or used in a reason. */
export interface MatchReputation {
  /** In [0, 1]. */
  score: number;
  /** In [0, 1], over the last 60 days. */
  recentScore: number;
  /** In [0, 1]. */
  independenceConfidence: number;
  /** Base units. */
  settledValue: bigint;
  /** Base units, at most `settledValue`. */
  independentValue: bigint;
  independentBuyers: number;
  /** Buyers that no trust run has checked yet. */
  pendingBuyers: number;
  settlements: number;
}

/** An agent's settlements, multiplied by the share of its settled value that came from independent buyers. */
export function independentSettlementsOf({
  settlements,
  settledValue,
  independentValue,
}: Pick<MatchReputation, 'settlements' | 'settledValue' | 'independentValue'>): number {
  if (settledValue === 0n) return 0;
  return (settlements * Number(independentValue)) / Number(settledValue);
}
