import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { QuoteBody } from './quote.body.js';

const BODY = {
  task_id: 'task_1',
  price: { amount: '250.00', currency: 'USDC' },
  deadline: '2026-11-27T12:55:00Z',
  terms_hash: `0x${'ab'.repeat(32)}`,
};

const check = (body: object) => checkedInstance(QuoteBody, body, 'invalid_body');

describe('the body of a quote', () => {
  it.each<[string, object]>([
    ['the required members', {}],
    ['an agent', { agent_id: 'agent_1' }],
    ['a parent node', { parent_node_id: 'node_1_2', hirer_funded: true, accept_window_seconds: 172_800 }],
    ['an end of its own, with a zone', { valid_until: '2026-11-23T13:55:00.5+01:00' }],
  ])('may have %s', (_what, members) => {
    expect(check({ ...BODY, ...members })).toMatchObject(members);
  });

  it.each(Object.keys(BODY))('needs %s', (name) => {
    const rest = Object.fromEntries(Object.entries(BODY).filter(([member]) => member !== name));
    expect(() => check(rest)).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });

  it.each<[string, object]>([
    ['an unknown member', { quote: 1 }],
    ['a price as a number', { price: 250 }],
    ['a price of nothing', { price: { amount: '0', currency: 'USDC' } }],
    ['a price with seven decimals', { price: { amount: '1.0000001', currency: 'USDC' } }],
    ['a price in another currency', { price: { amount: '1', currency: 'EUR' } }],
    ['a price with more to it', { price: { amount: '1', currency: 'USDC', tip: '1' } }],
    ['a day that does not exist', { deadline: '2026-02-30T12:55:00Z' }],
    ['a deadline in seconds', { deadline: 1_795_000_000 }],
    ['null for an optional member', { valid_until: null }],
    ['null for an agent', { agent_id: null }],
    ['an agent that is no identifier', { agent_id: 'agent 1' }],
    ['a parent that is no identifier', { parent_node_id: '../node' }],
    ['a hash that is too short', { terms_hash: '0xab' }],
    ['an accept window below 48 hours', { accept_window_seconds: 172_799 }],
    ['an accept window above 90 days', { accept_window_seconds: 7_776_001 }],
    ['half a second', { accept_window_seconds: 172_800.5 }],
    ['a text for a flag', { hirer_funded: 'true' }],
  ])('may not have %s', (_what, members) => {
    expect(() => check({ ...BODY, ...members })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });
});
