import { type ChainReading, type Deployment, type Intent, type PreparedAction, readNode } from '#libs/prepared-action';
import { type Fetch, LONGEST_ANSWER_MS } from '../http/retrying-fetch.js';

/** Asks a blockchain node one question (JSON-RPC). */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A blockchain node that the caller trusts: its address, or what asks it. */
export type ChainNode = string | { request(question: { method: string; params?: unknown }): Promise<unknown> };

/** What asks this node; one that is named by its address has so many milliseconds for an answer. */
export function askOf(node: ChainNode, fetch: Fetch, timeoutMs = LONGEST_ANSWER_MS): Ask {
  if (typeof node !== 'string') return (method, params) => node.request({ method, params });
  return async (method, params) => {
    const response = await fetch(node, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer: unknown = await response.json();
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result;
    throw new Error(`The blockchain node has not answered ${method}`);
  };
}

/** What blockchain nodes say of an action. */
export type ReadChain = (action: PreparedAction, intent: Intent) => Promise<readonly ChainReading[]>;

/** Reads one node. What it does not answer is missing, and the checks that need it stay open. */
export function readerOf(ask: Ask, deployment: Deployment): ReadChain {
  return async (action, intent) => [
    await readNode('wallet', { action, intent, deployment }, ({ method, params }) =>
      ask(method, params).catch(() => undefined),
    ),
  ];
}
