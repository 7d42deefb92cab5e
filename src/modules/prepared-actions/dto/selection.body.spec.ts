import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { SelectionBody } from './selection.body.js';

const check = (body: object) => checkedInstance(SelectionBody, body, 'invalid_body');

describe('the body of a selection', () => {
  it.each([{ mode: 'manual', agent_id: 'agent_1' }, { mode: 'auto' }])('is %j', (body) => {
    expect(check(body)).toEqual(body);
  });

  it.each([
    {},
    { mode: 'manual' },
    { mode: 'manual', agent_id: null },
    { mode: 'manual', agent_id: 'an agent' },
    { mode: 'manual', agent_id: ['agent_1'] },
    { mode: 'auto', agent_id: 'agent_1' },
    { mode: 'auto', agent_id: null },
    { mode: 'first_firm_quote' },
    { mode: ['auto'] },
    { agent_id: 'agent_1' },
    { mode: 'manual', agent_id: 'agent_1', quote_id: 'quote_1' },
  ])('is not %j', (body) => {
    expect(() => check(body)).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });
});
