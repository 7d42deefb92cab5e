import { cpuUsage, memoryUsage } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { Clusters } from '../../../modules/reputation/trust/clusters.js';
import { dealCohorts } from '../../../modules/reputation/trust/cohorts.js';
import { independenceOf } from '../../../modules/reputation/trust/independence.js';
import { moneyGraphOf } from '../../../modules/reputation/trust/money-graph.js';
import { Payments } from '../../../modules/reputation/trust/payments.js';
import { Seeded } from '../../eval/statistics/seeded.js';

/** The size of the market to make, and the seed of its random numbers. */
export interface TrustBenchOrder {
  principals: number;
  settlements: number;
  anchors: number;
  seed: number;
}

/** What the batch took, without the time that making the market took. */
export interface TrustBenchResult {
  /**
   * Parts of the batch. `cpuSeconds` is the CPU time of the whole process, including the threads of the garbage
   * collector.
   */
  parts: { name: string; seconds: number; cpuSeconds: number }[];
  /** Seconds to sort as many settlements on the same machine with the same amount of memory. */
  baselineSeconds: number;
  edges: number;
  clusters: number;
  reached: number;
  /** Resident memory of the whole process in bytes, at the end of the walks. */
  residentBytes: number;
  /** The part of it that typed arrays of all threads take, in bytes. */
  arrayBytes: number;
}

/** One account in this many shares a wallet with another. */
const SHARED_WALLETS = 50;
/** How unevenly trade is distributed: a principal is drawn as this power of an evenly distributed number. */
const UNEVENNESS = 3;
const USDC = 1_000_000;

function run({ principals, settlements, anchors, seed }: TrustBenchOrder): TrustBenchResult {
  const chance = new Seeded(seed);
  const parts: TrustBenchResult['parts'] = [];
  const part = <T>(name: string, work: () => T): T => {
    const [began, used] = [performance.now(), cpuUsage()];
    const result = work();
    const { user, system } = cpuUsage(used);
    parts.push({ name, seconds: (performance.now() - began) / 1000, cpuSeconds: (user + system) / 1e6 });
    return result;
  };
  const accounts = Array.from({ length: principals }, (_, i) => `acct_${i.toString(36).padStart(26, '0')}`);
  const clusters = part('clusters', () => {
    const found = new Clusters();
    for (const [i, account] of accounts.entries()) {
      found.joinByWallet(account, `0x${(i % SHARED_WALLETS === 0 ? 0 : i).toString(16)}${Math.floor(i / 1000)}`);
    }
    return [...found.merged()].length;
  });
  const payments = new Payments(settlements);
  const pairs = new Float64Array(settlements);
  for (let i = 0; i < settlements; i += 1) {
    const payer = Math.floor(principals * chance.next() ** UNEVENNESS);
    const worker = principals - 1 - Math.floor(principals * chance.next() ** UNEVENNESS);
    pairs[i] = payer * principals + worker;
    payments.add(payer, worker, Math.round(50 * USDC * Math.exp(chance.normal())));
  }
  const sorting = performance.now();
  pairs.sort();
  const baselineSeconds = (performance.now() - sorting) / 1000;
  const graph = part('money graph', () => moneyGraphOf(payments, principals));
  const dealt = dealCohorts(
    graph,
    Array.from({ length: anchors }, () => chance.below(principals)).map((principal) => ({
      principal,
      key: String(chance.next()),
    })),
  );
  const independence = part('walks, references, medians', () => independenceOf(graph, dealt));
  const { rss, arrayBuffers } = memoryUsage();
  return {
    parts,
    baselineSeconds,
    edges: graph.neighbours.length / 2,
    clusters: principals - clusters,
    reached: independence.reduce((count, iota) => count + (iota > 0 ? 1 : 0), 0),
    residentBytes: rss,
    arrayBytes: arrayBuffers,
  };
}

const order: TrustBenchOrder = workerData;
parentPort?.postMessage(run(order));
