import type { FactRef, TreeStep } from '#libs/contracts';

/** Finds steps by the place of their fact in the chain. */
export class StepsByPlace {
  private readonly steps: ReadonlyMap<string, TreeStep>;

  constructor(steps: readonly TreeStep[]) {
    this.steps = new Map(steps.map((step) => [placeOf(step.chained), step]));
  }

  /** The step of the fact that is there; undefined when that fact is none of the steps. */
  at(place: FactRef): TreeStep | undefined {
    return this.steps.get(placeOf(place));
  }
}

function placeOf({ blockNumber, logIndex }: Pick<FactRef, 'blockNumber' | 'logIndex'>): string {
  return `${blockNumber} ${logIndex}`;
}
