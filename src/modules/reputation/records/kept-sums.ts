import type { BuyerSums } from '../score/score.js';

/** The values of `SUM_ROWS`. */
export function sumArrays(rows: readonly { agentId: string; sums: BuyerSums }[]): unknown[][] {
  const column = (of: (sums: BuyerSums) => bigint | number): string[] => rows.map(({ sums }) => of(sums).toString());
  return [
    rows.map(({ agentId }) => agentId),
    column(({ careerGood }) => careerGood),
    column(({ careerBad }) => careerBad),
    column(({ recentGood }) => recentGood),
    column(({ recentBad }) => recentBad),
    column(({ independentUnits }) => independentUnits),
    column(({ allUnits }) => allUnits),
    column(({ settledValue }) => settledValue),
    column(({ independentValue }) => independentValue),
    column(({ settlements }) => settlements),
    column(({ buyers }) => buyers),
    column(({ independentBuyers }) => independentBuyers),
    column(({ pendingBuyers }) => pendingBuyers),
  ];
}

/** Reads stored sums, in the order of `sumArrays` without the agent id. */
export function sumsOfRow(kept: readonly string[]): BuyerSums {
  const at = (place: number): string => kept[place] ?? '0';
  return {
    careerGood: BigInt(at(0)),
    careerBad: BigInt(at(1)),
    recentGood: BigInt(at(2)),
    recentBad: BigInt(at(3)),
    independentUnits: BigInt(at(4)),
    allUnits: BigInt(at(5)),
    settledValue: BigInt(at(6)),
    independentValue: BigInt(at(7)),
    settlements: Number(at(8)),
    buyers: Number(at(9)),
    independentBuyers: Number(at(10)),
    pendingBuyers: Number(at(11)),
  };
}
