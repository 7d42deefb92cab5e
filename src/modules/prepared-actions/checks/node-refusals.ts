import { ApiError } from '../../../platform/http/api-error.js';
import type { ErrorCode } from '../../../platform/http/error-codes.js';
import { utcInWords } from '../../../platform/time/unix-time.js';
import type { NodeFacts, NodeFault } from '../../escrow/node/node-outlook.js';
import type { NodeEvent } from '../../escrow/node/node-transitions.js';

/** The events on a funded node that a prepared action of a node kind causes. */
export type PreparedEvent = Extract<
  NodeEvent,
  'deliver' | 'resolve_task' | 'reject_task' | 'dispute_node' | 'claim_non_delivery'
>;

const READ_AGAIN = 'Read the node again; its allowed_actions and next say what can be done now.';
/** Words of the refusals: what the event does to the node, and the states in which it is possible. */
const WORDS: Readonly<Record<PreparedEvent, readonly [doing: string, needs: string]>> = {
  deliver: ['delivered to', 'funded, or rejected in time and with a revision left'],
  resolve_task: ['accepted', 'delivered, or rejected or disputed while its window runs'],
  reject_task: ['rejected', 'delivered'],
  dispute_node: ['disputed', 'rejected'],
  claim_non_delivery: ['claimed for non-delivery', 'funded, after its delivery deadline'],
};

/** The error for an event that the node does not allow; `facts` are those by which the fault was found. */
export function nodeRefusal(event: PreparedEvent, fault: NodeFault, facts: NodeFacts): ApiError {
  switch (fault) {
    case 'wrong_state':
      return wrongState(event, facts);
    case 'backers_closed':
      return new ApiError(
        'state_conflict',
        'The money behind this node went back with a node above it.',
        'Nothing can be earned here any more; what was hired with own money goes on.',
      );
    case 'too_late':
      return tooLate(event, facts);
    case 'too_early':
      return new ApiError(
        'window_not_open',
        `The worker may deliver until ${utcInWords(facts.clock)}; this is possible after that.`,
        'Try again then.',
      );
    case 'no_arbiter':
      return new ApiError(
        'state_conflict',
        'The task names no arbiter who could rule.',
        'Deliver again before the delivery deadline.',
      );
    case 'no_revision_left':
      return new ApiError(
        'state_conflict',
        'The worker has delivered again as often as the terms allow.',
        'Contest the rejection while its window runs, when the task names an arbiter.',
      );
    case 'live_allocations':
      return new ApiError('state_conflict', 'The node has live subcontracts that are paid out of it.', READ_AGAIN);
  }
}

function wrongState(event: PreparedEvent, { state }: NodeFacts): ApiError {
  const [doing, needs] = WORDS[event];
  const code: ErrorCode = event === 'claim_non_delivery' ? 'node_not_funded' : 'state_conflict';
  return new ApiError(code, `The node is ${state}; it can be ${doing} only while it is ${needs}.`, READ_AGAIN);
}

function tooLate(event: PreparedEvent, { state, clock, deliverBy, floor }: NodeFacts): ApiError {
  if (state === 'delivered') {
    return new ApiError(
      'window_closed',
      `The window for a rejection ended at ${utcInWords(clock)}: silence has accepted the delivery.`,
      'Nothing is left to decide; the worker can withdraw its earnings.',
    );
  }
  if (state === 'disputed' && floor === 0n) {
    return new ApiError(
      'window_closed',
      `The arbiter was silent until ${utcInWords(clock)}: the node has no floor, so its money has gone back to the hirer.`,
      'Nothing is left to decide.',
    );
  }
  if (state === 'disputed') {
    return new ApiError(
      'window_closed',
      `The arbiter was silent until ${utcInWords(clock)}: the worker's side has the node's floor.`,
      'Nothing is left to decide; both sides can withdraw their parts.',
    );
  }
  if (state === 'rejected' && (event !== 'deliver' || clock < deliverBy)) {
    return new ApiError(
      'window_closed',
      `The rejection was not contested by ${utcInWords(clock)} and is final.`,
      'Nothing is left to decide; the money has gone back to the hirer.',
    );
  }
  return new ApiError(
    'window_closed',
    `The delivery deadline passed at ${utcInWords(deliverBy)}.`,
    state === 'rejected'
      ? 'Contest the rejection while its window runs, when the task names an arbiter.'
      : 'Give the node up, or wait until somebody claims the non-delivery.',
  );
}
