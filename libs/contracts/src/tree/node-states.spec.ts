import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FundingMode, NodeState, Outcome, toNodeState, wireNodeState, wireOutcome } from './node-states.js';

const solidity = readFileSync(join(__dirname, '../../solidity/src/Types.sol'), 'utf8').replace(/\/\/.*$/gm, '');

test.each([
  { name: 'NodeState', enumeration: NodeState },
  { name: 'Outcome', enumeration: Outcome },
  { name: 'FundingMode', enumeration: FundingMode },
])('$name has the members of Types.sol in their order', ({ name, enumeration }) => {
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(solidity)![1]!;
  expect(Object.entries(enumeration)).toEqual(body.split(',').map((member, index) => [member.trim(), index]));
});

test('every chain state has the name that the interface gives it', () => {
  const names = Object.entries(NodeState).map(([name, state]) => [name, wireNodeState(state)]);
  expect(Object.fromEntries(names)).toEqual({
    None: null,
    Funded: 'funded',
    Delivered: 'delivered',
    Rejected: 'rejected',
    Disputed: 'disputed',
    Settled: 'released',
    Refunded: 'refunded',
    Abandoned: 'refunded',
  });
});

test('every outcome has the name that the interface gives it', () => {
  const names = Object.entries(Outcome).map(([name, outcome]) => [name, wireOutcome(outcome)]);
  expect(Object.fromEntries(names)).toEqual({
    Accepted: 'accepted',
    AcceptWindowLapsed: 'accept_window_lapsed',
    Agreed: 'agreed',
    Ruled: 'ruled',
    RulingLapsed: 'ruling_lapsed',
    NonDelivery: 'non_delivery',
    RejectionFinal: 'rejection_final',
    Abandoned: 'abandoned',
  });
});

test.each([-1, 8, 1.5, Number.NaN])('there is no node state %d', (value) => {
  expect(() => toNodeState(value)).toThrow(RangeError);
});
