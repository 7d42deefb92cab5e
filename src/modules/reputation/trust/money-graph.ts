import type { Payments } from './payments.js';

/**
 * Net USDC between principals as a symmetric graph: W = N + N^T with N_bw = max(0, V_bw - V_wb), so W_bw = |V_bw -
 * V_wb|. Compressed sparse rows: the edges of principal i are `offsets[i]` to `offsets[i + 1]` of `neighbours` and
 * `weights`. rule: docs/decisions/ranking.md#independence
 */
export interface MoneyGraph {
  principals: number;
  offsets: Uint32Array;
  neighbours: Uint32Array;
  /** Base units, to 24 bits; an edge has the same weight from both sides. */
  weights: Float32Array;
  /** Sum of each principal's weights. */
  degrees: Float64Array;
}

/**
 * Builds the graph from payments. Returned payments cancel out exactly, so two principals that pay each other the same
 * amounts are not connected. Payments within one principal are left out. The order of the payments does not matter.
 * @throws RangeError when a payment names an unknown principal.
 */
export function moneyGraphOf(payments: Payments, principals: number): MoneyGraph {
  const net = netOf(payments, principals);
  const offsets = new Uint32Array(principals + 1);
  for (let low = 0; low < principals; low += 1) {
    for (let edge = net.starts[low] ?? 0; edge < (net.ends[low] ?? 0); edge += 1) {
      const high = net.highs[edge] ?? 0;
      offsets[low + 1] = (offsets[low + 1] ?? 0) + 1;
      offsets[high + 1] = (offsets[high + 1] ?? 0) + 1;
    }
  }
  for (let i = 0; i < principals; i += 1) offsets[i + 1] = (offsets[i + 1] ?? 0) + (offsets[i] ?? 0);
  const size = offsets[principals] ?? 0;
  const graph: MoneyGraph = {
    principals,
    offsets,
    neighbours: new Uint32Array(size),
    weights: new Float32Array(size),
    degrees: new Float64Array(principals),
  };
  const next = offsets.slice(0, principals);
  for (let low = 0; low < principals; low += 1) {
    for (let edge = net.starts[low] ?? 0; edge < (net.ends[low] ?? 0); edge += 1) {
      put(graph, next, net.highs[edge] ?? 0, low, Math.abs(net.sums[edge] ?? 0));
    }
  }
  // The other direction is copied from the rows just made, so that every row is sorted by neighbour.
  const lowerEnds = next.slice();
  for (let high = 0; high < principals; high += 1) {
    for (let edge = offsets[high] ?? 0; edge < (lowerEnds[high] ?? 0); edge += 1) {
      put(graph, next, graph.neighbours[edge] ?? 0, high, graph.weights[edge] ?? 0);
    }
  }
  return graph;
}

function put(graph: MoneyGraph, next: Uint32Array, from: number, to: number, weight: number): void {
  const place = next[from] ?? 0;
  next[from] = place + 1;
  graph.neighbours[place] = to;
  graph.weights[place] = weight;
  graph.degrees[from] = (graph.degrees[from] ?? 0) + (graph.weights[place] ?? 0);
}

/**
 * Pairs of principals with payments, grouped by the smaller number: what the smaller one paid less what it received.
 */
interface NetPairs {
  starts: Uint32Array;
  ends: Uint32Array;
  highs: Uint32Array;
  sums: Float64Array;
}

/** Sorts the payments by the smaller principal (counting sort), then adds up each pair in place. */
function netOf(payments: Payments, principals: number): NetPairs {
  const { payers, workers, amounts } = payments.columns();
  const starts = new Uint32Array(principals + 1);
  for (let i = 0; i < payments.length; i += 1) {
    const [payer, worker] = [payers[i] ?? 0, workers[i] ?? 0];
    if (payer >= principals || worker >= principals) throw new RangeError('A payment is of an unknown principal');
    if (payer === worker) continue;
    const low = Math.min(payer, worker);
    starts[low + 1] = (starts[low + 1] ?? 0) + 1;
  }
  for (let i = 0; i < principals; i += 1) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0);
  const highs = new Uint32Array(starts[principals] ?? 0);
  const sums = new Float64Array(highs.length);
  const next = starts.slice(0, principals);
  for (let i = 0; i < payments.length; i += 1) {
    const [payer, worker] = [payers[i] ?? 0, workers[i] ?? 0];
    if (payer === worker) continue;
    const low = Math.min(payer, worker);
    const place = next[low] ?? 0;
    next[low] = place + 1;
    highs[place] = Math.max(payer, worker);
    sums[place] = payer === low ? (amounts[i] ?? 0) : -(amounts[i] ?? 0);
  }
  const pairs = { starts, ends: new Uint32Array(principals), highs, sums };
  addUp(pairs, principals);
  return pairs;
}

/** Sums the entries of each pair in place, and keeps one entry for each pair whose sum is not 0. */
function addUp({ starts, ends, highs, sums }: NetPairs, principals: number): void {
  // Position of the pair with this higher principal, plus one; valid only within the row for which it was written.
  const placeOf = new Uint32Array(principals);
  for (let low = 0; low < principals; low += 1) {
    const start = starts[low] ?? 0;
    let end = start;
    for (let i = start; i < (starts[low + 1] ?? 0); i += 1) {
      const high = highs[i] ?? 0;
      const known = (placeOf[high] ?? 0) - 1;
      if (known >= start && known < end && highs[known] === high) {
        sums[known] = (sums[known] ?? 0) + (sums[i] ?? 0);
      } else {
        highs[end] = high;
        sums[end] = sums[i] ?? 0;
        placeOf[high] = end + 1;
        end += 1;
      }
    }
    let kept = start;
    for (let i = start; i < end; i += 1) {
      if (sums[i] === 0) continue;
      highs[kept] = highs[i] ?? 0;
      sums[kept] = sums[i] ?? 0;
      kept += 1;
    }
    ends[low] = kept;
  }
}
