import { parentPort, workerData } from 'node:worker_threads';
import { runTrustBatch } from './trust-batch.js';
import type { TrustOrder, TrustReport } from './trust-order.js';

/**
 * The thread of one run. It gets its order in `workerData`, reports its phases and figures, and ends. Any error it
 * throws fails the run.
 */
const say = (report: TrustReport): void => parentPort?.postMessage(report);
const order: TrustOrder = workerData;
const figures = await runTrustBatch(order, (phase) => say({ kind: 'phase', phase }));
say({ kind: 'finished', figures });
