import { Injectable } from '@nestjs/common';
import type { TrustFigures } from './batch/trust-order.js';
import type { TrustPhase } from './batch/trust-run.entity.js';

/** How trust runs go in this process. */
@Injectable()
export class TrustStatus {
  /** True while this process is the one that runs them. */
  runner = false;
  /** Null while none runs here. */
  phase: TrustPhase | null = null;
  lastError: string | null = null;
  /** By this process's clock, milliseconds since 1970; null before the first that finished here. */
  lastFinishedMs: number | null = null;
  lastSeconds: number | null = null;
  lastFigures: TrustFigures | null = null;
  anchors: number | null = null;
}
