import { nodeNonceParts } from '#libs/notation';
import { NODE_STATES, type NodeCondition, type NodeStateName } from '../typed-data/action-kinds.js';
import { FOUND } from './check-copy.js';
import type { ChainReading, NodeReading } from '../document/prepared-action.js';
import { foundText, timeText } from '../document/shown-text.js';
import {
  failed,
  type Finding,
  instantOf,
  nowOf,
  ownMember,
  passed,
  type Subject,
  uintOf,
  unknown,
} from './verification-input.js';

/** Seconds that the clocks of both sides may differ. */
const MAX_SKEW = 60;
/** Kept signatures last as long as offers can: 90 days. rule: docs/decisions/interface.md#fields-and-ranges */
const MAX_KEPT = 90 * 86_400;

/** 11: not expired, and not valid for longer than the market's actions are. */
export function checkExpiry(subject: Subject): Finding {
  const { action, rule, context } = subject;
  const { deployment } = context;
  const nowMs = nowOf(subject);
  const endMs = instantOf(action['expires_at']);
  if (endMs === null) return failed(FOUND.missing('expires_at'));
  const end = timeText(endMs / 1000);
  if (endMs <= nowMs) return failed(FOUND.expired(end));
  const ahead = Math.ceil((endMs - nowMs) / 1000) - deployment.maxActionSeconds;
  if (ahead > MAX_SKEW) return failed(FOUND.tooLong(end));
  const last = uintOf(ownMember(subject, 'validUntil'));
  if (last === null) return failed(FOUND.unreadable);
  if (rule?.isKept === true && last > BigInt(Math.floor(nowMs / 1000) + MAX_KEPT + MAX_SKEW)) {
    return failed(FOUND.tooLong(timeText(Number(last))));
  }
  if (context.readings.some(({ blockTime }) => blockTime !== undefined && BigInt(blockTime) > last)) {
    return failed(FOUND.chainLater);
  }
  return passed(ahead > 0 ? FOUND.untilSkewed(end, ahead) : FOUND.until(end));
}

/**
 * 12: the nonce is unused and the node in a state that allows it, according to every blockchain node that was asked.
 * One that does not tell of the node where its state matters has confirmed nothing.
 */
export function checkState(subject: Subject): Finding {
  const { readings } = subject.context;
  for (const reading of readings) {
    const fault = stateFault(subject, reading);
    if (fault !== null) return failed(fault);
  }
  const needsNode = subject.rule !== null && subject.rule.states.length > 0;
  const told = readings.filter(({ nonceUsed, node }) => (needsNode ? node : nonceUsed) !== undefined);
  if (told.length === 0) return unknown(FOUND.noReading);
  return passed(FOUND.stateHolds(told.map(({ source }) => source).join(', ')));
}

function stateFault(subject: Subject, reading: ChainReading): string | null {
  if (reading.nonceUsed === true) return FOUND.nonceUsed;
  const { rule, message, form } = subject;
  if (form === 'permit' && reading.permitNonce !== undefined && uintOf(message['nonce']) !== reading.permitNonce) {
    return FOUND.nonceUsed;
  }
  const { node, blockTime } = reading;
  if (node === undefined || rule === null || rule.states.length === 0) return null;
  const states = rule.states;
  const wanted = states.join(' or ');
  const state = node === null ? 'none' : NODE_STATES[node.state];
  if (state === undefined || !states.includes(state)) {
    if (state === 'none') return FOUND.noNode;
    return wanted === 'none' ? FOUND.nodeExists : FOUND.nodeState(state ?? foundText(node?.state), wanted);
  }
  if (node === null || state === 'none') return null;
  const nonce = uintOf(subject.action['nonce']);
  // A signature for a later version would wait for it, whatever the node has become by then.
  if (
    rule.nonce === 'node' &&
    node.version !== undefined &&
    nonce !== null &&
    nodeNonceParts(nonce).version !== node.version
  ) {
    return FOUND.nodeMoved;
  }
  return blockTime === undefined ? null : conditionFault(rule.nodeCondition, state, node, blockTime);
}

/** What is wrong with a node beside its state, at a time in unix seconds; null: nothing, or it is not known. */
export function conditionFault(
  condition: NodeCondition,
  state: NodeStateName,
  node: Pick<NodeReading, 'deliverBy' | 'clock' | 'allocated' | 'returned' | 'revisions' | 'maxRevisions'>,
  now: number,
): string | null {
  const { deliverBy, clock, allocated = 0n, returned = 0n, revisions = 0, maxRevisions } = node;
  switch (condition) {
    case 'none':
      return null;
    case 'deadline_is_over':
      return deliverBy !== undefined && now <= deliverBy ? FOUND.tooEarly(timeText(deliverBy)) : null;
    case 'deadline_runs':
      return lateFault(deliverBy, now);
    case 'deliverable':
      if (state !== 'rejected') return lateFault(deliverBy, now);
      if (maxRevisions !== undefined && revisions >= maxRevisions) return FOUND.noRevision;
      return lateFault(deliverBy, now) ?? lateFault(clock, now);
    case 'no_subcontracts':
      return allocated > returned ? FOUND.hasSubcontracts : null;
    case 'clock_runs':
      return lateFault(clock, now);
    case 'clock_runs_unless_delivered':
      return state === 'delivered' ? null : lateFault(clock, now);
  }
}

function lateFault(end: number | undefined, now: number): string | null {
  return end !== undefined && now > end ? FOUND.tooLate(timeText(end)) : null;
}
