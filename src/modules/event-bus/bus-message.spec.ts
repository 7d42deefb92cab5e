import { accountMessages, placeOf, publicMessage } from './bus-message.js';

const SOURCE = 'https://market.example';
const EVENT = {
  sequence: '42',
  document: JSON.stringify({
    id: 'evt_1',
    type: 'task.opened',
    timestamp: '2026-11-20T12:00:00.000Z',
    subject: { kind: 'task', id: 'task_1' },
    sequence: 42,
  }),
};

describe('a message of the bus', () => {
  it('has a sequence that sorts as a text, and tells where it stands', () => {
    const { subject, body } = publicMessage(EVENT, SOURCE);
    expect(JSON.parse(body).sequence).toBe('0000000000000042');
    expect(placeOf(subject, body)).toEqual({ source: SOURCE, sequence: 42n, reader: '' });
  });

  it('is one for each account, always in the same order', () => {
    const messages = accountMessages(EVENT, ['acct_b', 'acct_B', 'acct_a'], SOURCE);
    expect(messages.map(({ messageId }) => messageId)).toEqual(['evt_1/acct_B', 'evt_1/acct_a', 'evt_1/acct_b']);
    expect(messages.map(({ subject, body }) => placeOf(subject, body)?.reader)).toEqual(['acct_B', 'acct_a', 'acct_b']);
  });

  it.each(['acct_a.b', 'acct_*', '>', 'acct a', ''])('is none for a reader whose id is %j', (reader) => {
    expect(() => accountMessages(EVENT, [reader], SOURCE)).toThrow('cannot be part of a subject');
  });

  it.each([
    '',
    'not JSON',
    'null',
    '{}',
    '{"source":"a","sequence":"42"}',
    '{"source":1,"sequence":"0000000000000042"}',
  ])('is known as another one: %s', (body) => {
    expect(placeOf('tasktree.events.task.opened', body)).toBeNull();
  });
});
