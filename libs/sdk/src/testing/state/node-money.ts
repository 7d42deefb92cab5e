import { parentPath } from '#libs/notation';
import { ZERO_ADDRESS } from '#libs/prepared-action';
import type { FakeNode } from './market-state.js';

const RULING_SECONDS = 30 * 86_400;
/** The number of the contract's first state in which money has gone back. */
const REFUNDED = 6;
const REJECTED = 3;
const DISPUTED = 4;

/**
 * Base units that are promised to the nodes below and come out of this one. What time has sent back is not: the market has
 * it written down before whatever needs it.
 */
export function allocatedOf({ task, path }: FakeNode, now: number): bigint {
  return [...task.nodes.values()]
    .filter((node) => parentPath(node.path) === path && node.terms['hirerFunded'] !== true && node.state < REFUNDED)
    .reduce((sum, node) => sum + keptBelow(node, now), 0n);
}

/** Base units that a live node below keeps: after a rejection that stands nothing, after a dispute that lapsed its floor. */
function keptBelow({ state, clock, terms }: FakeNode, now: number): bigint {
  if (now > clock && state === REJECTED) return 0n;
  return BigInt(terms[now > clock && state === DISPUTED ? 'floor' : 'amount'] as string);
}

export function maxRevisionsOf({ terms }: FakeNode): number {
  return Number(terms['maxRevisions']);
}

export function hasRevisionLeft(node: FakeNode): boolean {
  return node.revisions < maxRevisionsOf(node);
}

/** Until when a worker may answer a rejection: by delivering again, or by asking the arbiter; now, where neither is left. */
export function contestBy(node: FakeNode, now: number): number {
  const again = hasRevisionLeft(node) ? node.deliverBy : now;
  return node.task.parties.arbiter === ZERO_ADDRESS ? again : Math.max(again, now + acceptWindowOf(node));
}

/** Last second of the right that the node's state gives from now on, as the contract sets it. */
export function clockOf(node: FakeNode, now: number): number {
  switch (node.state) {
    case 1:
      return node.deliverBy;
    case 2:
      return now + acceptWindowOf(node);
    case 3:
      return contestBy(node, now);
    case 4:
      return now + RULING_SECONDS;
    default:
      return node.clock;
  }
}

function acceptWindowOf({ terms }: FakeNode): number {
  return Number(terms['acceptWindow']);
}
