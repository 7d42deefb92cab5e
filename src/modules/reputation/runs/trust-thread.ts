import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import type { TrustFigures, TrustOrder, TrustReport } from './batch/trust-order.js';
import type { TrustPhase } from './batch/trust-run.entity.js';

const BESIDE = new URL('./batch/trust-batch.worker.js', import.meta.url);
/** The built file. Specs run the TypeScript sources, which a worker thread cannot load. */
const BUILT = new URL('../../../../dist/src/modules/reputation/runs/batch/trust-batch.worker.js', import.meta.url);

/** The run was given up because the service stops. */
export class RunStoppedError extends Error {
  override readonly name = 'RunStoppedError';
}

/** Runs the heavy part of a run in a worker thread, so that it does not delay requests and blocks. */
@Injectable()
export class TrustThread {
  /**
   * Runs the batch and resolves to its figures. When it is stopped or fails, everything uncommitted is rolled back.
   * @throws RunStoppedError after `signal`; the error of the batch.
   */
  async run(order: TrustOrder, says: (phase: TrustPhase) => void, signal: AbortSignal): Promise<TrustFigures> {
    if (signal.aborted) throw new RunStoppedError('The service stops');
    const worker = new Worker(fileURLToPath(existsSync(BESIDE) ? BESIDE : BUILT), {
      workerData: order,
      name: 'trust-run',
    });
    const stop = (): void => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<TrustFigures>((resolve, reject) => {
        worker.on('message', (report: TrustReport) => {
          if (report.kind === 'phase') says(report.phase);
          else resolve(report.figures);
        });
        worker.once('error', reject);
        worker.once('exit', () => {
          reject(signal.aborted ? new RunStoppedError('The service stops') : new Error('The thread of the run ended'));
        });
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
