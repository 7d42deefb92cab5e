import { Injectable } from '@nestjs/common';
import type { TrustFigures } from './batch/trust-order.js';
import type { TrustPhase } from './batch/trust-run.entity.js';

/** State of the trust runs in this process. */
@Injectable()
export class TrustStatus {
  /** True while this process makes the trust runs. */
  runner = false;
  /** Phase of the running run; null while none runs here. */
  phase: TrustPhase | null = null;
  lastError: string | null = null;
  /** End of the last run finished here, by this process's clock, milliseconds since 1970; null before the first. */
  lastFinishedMs: number | null = null;
  lastSeconds: number | null = null;
  lastFigures: TrustFigures | null = null;
  anchors: number | null = null;
}
