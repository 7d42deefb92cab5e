import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Clock } from '../../../platform/time/clock.js';
import { TrustStatus } from './trust-status.js';

/** Value of a gauge that is not known yet. */
const UNKNOWN = Number.NaN;

/** Gauges of the trust runs on the management listener. */
@Injectable()
export class TrustGauges implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly status: TrustStatus,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const { metrics, status } = this;
    metrics.addGauge('trust_runner', '1 while this process makes the trust runs', () => Number(status.runner));
    metrics.addGauge('trust_run_active', '1 while a trust run is at work', () => Number(status.phase !== null));
    metrics.addGauge('trust_run_failing', '1 while trust runs fail', () => Number(status.lastError !== null));
    metrics.addGauge('trust_run_age_seconds', 'Time since the last trust run finished', () => this.ageSeconds());
    metrics.addGauge('trust_run_seconds', 'Length of the last trust run', () => status.lastSeconds ?? UNKNOWN);
    metrics.addGauge('trust_anchors', 'Verified buyers of the last run', () => status.anchors ?? UNKNOWN);
    const figures = () => status.lastFigures;
    metrics.addGauge('trust_principals', 'Clusters with money', () => figures()?.principals ?? UNKNOWN);
    metrics.addGauge('trust_edges', 'Pairs of clusters with net money', () => figures()?.edges ?? UNKNOWN);
    metrics.addGauge('trust_settlements', 'Settlements behind the evidence', () => figures()?.settlements ?? UNKNOWN);
  }

  private ageSeconds(): number {
    const { lastFinishedMs } = this.status;
    return lastFinishedMs === null ? UNKNOWN : (this.clock.wallMs() - lastFinishedMs) / 1_000;
  }
}
