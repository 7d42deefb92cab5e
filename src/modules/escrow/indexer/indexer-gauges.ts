import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { IndexerStatus } from '../indexed-chain/indexer-status.js';

/** Shown for a number that is not known yet. */
const UNKNOWN = Number.NaN;

/** The indexer's numbers on the management listener. */
@Injectable()
export class IndexerGauges implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly status: IndexerStatus,
  ) {}

  onApplicationBootstrap(): void {
    const { metrics, status } = this;
    metrics.addGauge('indexer_block', 'Newest block in the index', () => status.indexedBlock ?? UNKNOWN);
    metrics.addGauge('indexer_head_block', 'Newest block of the chain', () => status.headBlock ?? UNKNOWN);
    metrics.addGauge('indexer_lag_blocks', 'Blocks not yet in the index', () => status.lagBlocks ?? UNKNOWN);
    metrics.addGauge(
      'indexer_endpoint_behind_blocks',
      'Blocks of the index that the endpoint of the chain does not have',
      () => status.behindBlocks,
    );
    metrics.addGauge('indexer_runner', '1 while this process indexes', () => Number(status.runner));
    metrics.addGauge('indexer_failing', '1 while steps fail', () => Number(status.lastError !== null));
    metrics.addGauge(
      'indexer_waiting_trees',
      'Trees with facts in the index that are not shown yet',
      () => status.waitingTrees,
    );
    metrics.addGauge(
      'indexer_set_aside_trees',
      'Trees that could not be projected and are tried again',
      () => status.setAsideTrees,
    );
    metrics.addGauge(
      'indexer_inconsistent_tasks',
      'Tasks whose facts do not add up to a tree',
      () => status.inconsistentTasks.size,
    );
  }
}
