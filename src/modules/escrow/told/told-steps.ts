import { byChainOrder, type TreeStep } from '#libs/contracts';
import type { AnyRecordedEvent, ChainPlace } from '../../events/catalogue/event.js';
import type { TreesChanged } from '../../events/tree.events.js';

interface Told {
  readonly event: AnyRecordedEvent;
  readonly cause: TreeStep | null;
}

/** Gathers the events of the steps of some trees, so that all are recorded at once and in the order of the chain. */
export class ToldSteps {
  private readonly told: Told[] = [];

  constructor(private readonly chainId: number) {}

  /** As `TreesChanged.tell`. */
  readonly tell: TreesChanged['tell'] = (event, cause) => {
    this.told.push({ event: cause === null ? event : { ...event, chain: this.placeOf(cause) }, cause });
  };

  /** Every event once; those of one fact in the order in which they came. */
  inChainOrder(): AnyRecordedEvent[] {
    return this.told.toSorted(byPlace).map(({ event }) => event);
  }

  private placeOf({ chained }: TreeStep): ChainPlace {
    const { transactionHash, blockNumber, blockHash, logIndex } = chained;
    return { chainId: this.chainId, transactionHash, blockNumber, blockHash, logIndex };
  }
}

function byPlace({ cause: one }: Told, { cause: other }: Told): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return byChainOrder(one.chained, other.chained);
}
