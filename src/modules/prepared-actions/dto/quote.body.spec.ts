import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { QuoteBody } from './quote.body.js';

const BODY = {
  task_id: 'task_1',
  price: { amount: '250.00', currency: 'USDC' },
  terms_hash: `0x${'ab'.repeat(32)}`,
};

const check = (body: object) => checkedInstance(QuoteBody, body, 'invalid_body');

describe('the body of a quote', () => {
  it.each<[string, object]>([
    ['the required members', {}],
    ['an agent', { agent_id: 'agent_1' }],
    ['a time to work', { work_seconds: 3_600 }],
    ['a deadline instead', { deadline: '2026-11-27T12:55:00Z' }],
    ['a floor', { floor: { amount: '124.999999', currency: 'USDC' } }],
    ['a floor of nothing', { floor: { amount: '0', currency: 'USDC' } }],
    ['no revision', { max_revisions: 0 }],
    ['ten revisions', { max_revisions: 10 }],
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
    ['a deadline and a time to work', { deadline: '2026-11-27T12:55:00Z', work_seconds: 86_400 }],
    ['less than an hour to work', { work_seconds: 3_599 }],
    ['more than a year to work', { work_seconds: 31_536_001 }],
    ['a time to work as a text', { work_seconds: '86400' }],
    ['null for a time to work', { work_seconds: null }],
    ['eleven revisions', { max_revisions: 11 }],
    ['less than no revision', { max_revisions: -1 }],
    ['half a revision', { max_revisions: 0.5 }],
    ['a floor as a number', { floor: 125 }],
    ['a floor with seven decimals', { floor: { amount: '1.0000001', currency: 'USDC' } }],
    ['a floor below nothing', { floor: { amount: '-1', currency: 'USDC' } }],
    ['a floor in another currency', { floor: { amount: '1', currency: 'EUR' } }],
    ['a floor with more to it', { floor: { amount: '1', currency: 'USDC', tip: '1' } }],
    ['null for a floor', { floor: null }],
  ])('may not have %s', (_what, members) => {
    expect(() => check({ ...BODY, ...members })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });
});
