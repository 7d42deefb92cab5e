import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { FUNDING_MODES } from '../money/funding-source.js';
import { FundingBody } from './funding.body.js';
import { SubcontractBody } from './subcontract.body.js';

function codeOf(shape: Type<object>, body: object): string {
  try {
    checkedInstance(shape, body, 'invalid_body');
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const hire = { quote_id: 'quote_1', accept_window_seconds: 259_200 };

describe('the body of a funding intent', () => {
  it('may be empty, or name one of the funding modes', () => {
    const bodies = [{}, ...FUNDING_MODES.map((funding_mode) => ({ funding_mode }))];
    expect(bodies.map((body) => codeOf(FundingBody, body))).toEqual(bodies.map(() => 'none'));
  });

  it.each([
    ['an unknown mode', { funding_mode: 'cash' }],
    ['the mode that only a quote decides', { funding_mode: 'parent_node' }],
    ['null', { funding_mode: null }],
    ['a list', { funding_mode: ['permit'] }],
    ['an unknown member', { amount: '1.00' }],
  ])('is refused with %s', (_what, body) => {
    expect(codeOf(FundingBody, body)).toBe('invalid_body');
  });
});

describe('the body of a subcontract intent', () => {
  it('names a quote and the accept window, up to both ends of its range', () => {
    const bodies = [
      hire,
      { ...hire, accept_window_seconds: 172_800 },
      { ...hire, accept_window_seconds: 7_776_000 },
      { ...hire, funding_mode: 'permit' },
    ];
    expect(bodies.map((body) => codeOf(SubcontractBody, body))).toEqual(bodies.map(() => 'none'));
  });

  it.each([
    ['nothing', {}],
    ['no quote', { accept_window_seconds: 259_200 }],
    ['no accept window', { quote_id: 'quote_1' }],
    ['a quote that is no identifier', { ...hire, quote_id: 'a b' }],
    ['a quote that is a list', { ...hire, quote_id: ['quote_1'] }],
    ['a window below 48 hours', { ...hire, accept_window_seconds: 172_799 }],
    ['a window above 90 days', { ...hire, accept_window_seconds: 7_776_001 }],
    ['half a second', { ...hire, accept_window_seconds: 259_200.5 }],
    ['a window in text', { ...hire, accept_window_seconds: '259200' }],
    ['an unknown way of paying', { ...hire, funding_mode: 'parent_node' }],
    ['an unknown member', { ...hire, price: '1.00' }],
  ])('is refused with %s', (_what, body) => {
    expect(codeOf(SubcontractBody, body)).toBe('invalid_body');
  });
});
