import type { Costs, Measured } from './flat-drive.js';
import { dearestOf } from './flat-neighbours.js';

const measured = (path: string, wholeMs: number, more: Partial<Measured> = {}): [string, Measured] => [
  path,
  {
    statements: 1,
    buffers: 1,
    ms: 1,
    dearest: '',
    status: 200,
    caller: 'a',
    wholeMs,
    request: { operation: path, scope: 'read', path, filters: '', isList: true },
    ...more,
  },
];

it('the dearest reads of an account are its slowest that were answered, for a key, the slowest first', () => {
  const session = { operation: 'page', scope: 'session', path: 'page', filters: '', isList: false };
  const costs: Costs = new Map([
    ...['1', '5', '3', '2', '4'].map((path) => measured(path, Number(path))),
    measured('of another', 9, { caller: 'b' }),
    measured('refused', 9, { status: 404 }),
    measured('page', 9, { request: session }),
    measured('write', 9, { request: { ...session, scope: 'buyer', method: 'POST' } }),
  ]);
  expect(dearestOf({ name: 'a' }, costs).map(({ request }) => request.path)).toEqual(['5', '4', '3', '2']);
});
