import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { EarningsWithdrawalBody, refundIn, RefundWithdrawalBody } from './withdrawal.body.js';

const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const earnings = (body: object) => checkedInstance(EarningsWithdrawalBody, body, 'invalid_body');
const refund = (body: object) => checkedInstance(RefundWithdrawalBody, body, 'invalid_body');
const refused = expect.objectContaining({ code: 'invalid_body' });

describe('the bodies of withdrawals', () => {
  it('take a destination, alone or with a task, or with a task and a node', () => {
    for (const destination of [DESTINATION, DESTINATION.toLowerCase()]) {
      expect(refund({ destination })).toEqual({ destination });
      expect(earnings({ destination, task_id: 'task_1' })).toEqual({ destination, task_id: 'task_1' });
    }
    expect(earnings({ destination: DESTINATION, task_id: 'task_1', node_id: 'node_1' })).toBeInstanceOf(
      EarningsWithdrawalBody,
    );
  });

  it('take the wallet whose refund it is', () => {
    const body = { destination: DESTINATION, wallet: DESTINATION.toLowerCase() };
    refund(body);
    expect(refundIn(body)).toEqual({ destination: DESTINATION, wallet: DESTINATION });
    for (const wallet of [null, 'worker.eth', DESTINATION.replace('79C8', '79c8'), `0x${'0'.repeat(40)}`]) {
      expect(() => refund({ destination: DESTINATION, wallet })).toThrow(refused);
    }
    expect(() => earnings({ destination: DESTINATION, wallet: DESTINATION })).toThrow(refused);
  });

  it.each([
    ['no destination', {}],
    ['null', { destination: null }],
    ['the zero address', { destination: `0x${'0'.repeat(40)}` }],
    ['a checksum that does not hold', { destination: DESTINATION.replace('79C8', '79c8') }],
    ['a name', { destination: 'worker.eth' }],
    ['an address in another form', { destination: DESTINATION.slice(2) }],
    ['an unknown member', { destination: DESTINATION, amount: '1.00' }],
  ])('refuse %s', (_what, body) => {
    expect(() => refund(body)).toThrow(refused);
    expect(() => earnings(body)).toThrow(refused);
  });

  it.each([
    ['a node without its task', { node_id: 'node_1' }],
    ['a task that is no identifier', { task_id: 'task 1' }],
    ['null for an optional member', { task_id: null }],
    ['null for a node', { task_id: 'task_1', node_id: null }],
  ])('refuse %s', (_what, body) => {
    expect(() => earnings({ destination: DESTINATION, ...body })).toThrow(refused);
  });
});
