import { NODE_STATE, type NodeCondition, type NodeStateName, stateName } from '../typed-data/action-kinds.js';
import { FOUND } from './check-copy.js';
import type { ChainReading, NodeReading } from '../document/prepared-action.js';
import { foundText, timeText } from '../document/shown-text.js';
import {
  failed,
  type Finding,
  instantOf,
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
  const { action, rule, message, form, context } = subject;
  const { deployment } = context;
  const nowMs = nowOf(subject);
  const endMs = instantOf(action['expires_at']);
  if (endMs === null) return failed(FOUND.missing('expires_at'));
  const end = timeText(endMs / 1000);
  if (endMs <= nowMs) return failed(FOUND.expired(end));
  const ahead = Math.ceil((endMs - nowMs) / 1000) - deployment.maxActionSeconds;
  if (ahead > MAX_SKEW) return failed(FOUND.tooLong(end));
  const last = uintOf(form === 'permit' ? message['deadline'] : ownMember(subject, 'validUntil'));
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
 */
export function checkState(subject: Subject): Finding {
  const told = subject.context.readings.filter(({ nonceUsed, node }) => nonceUsed !== undefined || node !== undefined);
  for (const reading of told) {
    const fault = stateFault(subject, reading);
    if (fault !== null) return failed(fault);
  }
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
  if (node === null || node.state === NODE_STATE.none) {
    return states.some((state) => state === 'none') ? null : FOUND.noNode;
  }
  const state = stateName(node.state);
  if (state === null || !states.includes(state)) {
    return wanted === 'none' ? FOUND.nodeExists : FOUND.nodeState(state ?? foundText(node.state), wanted);
  }
  return blockTime === undefined ? null : conditionFault(rule.nodeCondition, state, node, blockTime);
}

function conditionFault(condition: NodeCondition, state: NodeStateName, node: NodeReading, now: number): string | null {
  const { deliverBy, clock, allocated = 0n } = node;
  switch (condition) {
    case 'none':
      return null;
    case 'deadline_is_over':
      return deliverBy !== undefined && now <= deliverBy ? FOUND.tooEarly(timeText(deliverBy)) : null;
    case 'deadline_runs':
      return deliverBy !== undefined && now > deliverBy ? FOUND.tooLate(timeText(deliverBy)) : null;
    case 'no_subcontracts':
      return allocated > 0n ? FOUND.hasSubcontracts : null;
    case 'clock_runs':
      return clock !== undefined && now > clock ? FOUND.tooLate(timeText(clock)) : null;
    case 'clock_runs_unless_delivered':
      return state !== 'delivered' && clock !== undefined && now > clock ? FOUND.tooLate(timeText(clock)) : null;
  }
}

/**
 * Now in milliseconds: the later of this side's clock and the chain's, by which actions expire. The wallet's own node
 * tells the chain's clock, or else any other that answered.
 */
function nowOf({ context: { nowMs, readings } }: Subject): number {
  const timed = readings.filter(({ blockTime }) => blockTime !== undefined);
  const { blockTime = 0 } = timed.find(({ source }) => source === 'wallet') ?? timed[0] ?? {};
  return Math.max(nowMs, blockTime * 1000);
}
