import { readFileSync } from 'node:fs';
import { decodeCall } from './call-data.js';
import { encodeCall } from './call-encoding.js';

interface Call {
  to: string;
  data: string;
}

const HONEST = JSON.parse(readFileSync('libs/prepared-action/vectors/honest.json', 'utf8')) as {
  name: string;
  action: { payload: { transaction?: Call; calls?: Call[] } };
}[];
const CALLS = HONEST.flatMap(({ name, action: { payload } }) =>
  [payload.transaction ?? [], payload.calls ?? []].flat().map(({ data }) => [name, data] as const),
);
const CONTRACTS = ['escrow', 'factory', 'token'] as const;

it('there are calls of all three contracts', () => {
  const read = CONTRACTS.map((contract) => CALLS.filter(([, data]) => decodeCall(contract, data) !== null).length);
  expect(Math.min(...read)).toBeGreaterThan(0);
});

it.each(CALLS)('a call of %s that was read is written the same', (_name, data) => {
  const written = CONTRACTS.flatMap((contract) => {
    const call = decodeCall(contract, data);
    return call === null ? [] : [encodeCall(contract, call.name, call.args)];
  });
  expect(written).toEqual([data.toLowerCase()]);
});

it('a list of calls is written as it is read', () => {
  const args = { calls: ['0x', '0x1234', `0x${'ab'.repeat(33)}`] };
  expect(decodeCall('escrow', encodeCall('escrow', 'multicall', args))).toEqual({ name: 'multicall', args });
});

it('refuses a function of another contract, and a missing argument', () => {
  expect(() => encodeCall('token', 'deliver', {})).toThrow(TypeError);
  expect(() => encodeCall('token', 'approve', { spender: `0x${'1'.repeat(40)}` })).toThrow(TypeError);
});
