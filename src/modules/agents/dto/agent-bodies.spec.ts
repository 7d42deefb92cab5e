import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { AgentAvailabilityBody, untilIn } from './agent-availability.body.js';
import { PublishAgentBody } from './publish-agent.body.js';
import { UpdateAgentBody } from './update-agent.body.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const agent = { name: 'Lexica', agent_card_url: 'https://agents.example/card' };

const publish = (body: object) => checkedInstance(PublishAgentBody, body, 'invalid_body');
const update = (body: object) => checkedInstance(UpdateAgentBody, body, 'invalid_body');
const availability = (body: object) => checkedInstance(AgentAvailabilityBody, body, 'invalid_body');
const refusal = expect.objectContaining({ code: 'invalid_body' });

describe('a body that publishes an agent', () => {
  it.each([
    ['the least', {}],
    ['all', { capabilities: ['audit'], wallet_address: WALLET, description: 'Audits.' }],
    [
      'the most',
      { name: 'x'.repeat(120), capabilities: Array.from({ length: 100 }, (_, n) => `c${n}`.padEnd(64, 'x')) },
    ],
    ['empty where it may be', { capabilities: [], description: '' }],
    ['a wallet in one case', { wallet_address: WALLET.toLowerCase() }],
  ])('may say %s', (_, more) => {
    expect(publish({ ...agent, ...more })).toEqual({ ...agent, ...more });
  });

  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['null for a name', { name: null }],
    ['a number for a name', { name: 1 }],
    ['a list for a name', { name: ['Lexica'] }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \u200b\u202e ' }],
    ['a name of 121 characters', { name: 'x'.repeat(121) }],
    ['no card', { agent_card_url: undefined }],
    ['a card over http', { agent_card_url: 'http://agents.example/card' }],
    ['a card in a file', { agent_card_url: 'file:///etc/passwd' }],
    ['a card with credentials', { agent_card_url: 'https://a:b@agents.example/' }],
    ['a card with a fragment', { agent_card_url: 'https://agents.example/#a' }],
    ['null for capabilities', { capabilities: null }],
    ['a text for capabilities', { capabilities: 'audit' }],
    ['an object for capabilities', { capabilities: { 0: 'audit', length: 1 } }],
    ['101 capabilities', { capabilities: Array.from({ length: 101 }, (_, n) => `c${n}`) }],
    ['a capability of 65 characters', { capabilities: ['x'.repeat(65)] }],
    ['an empty capability', { capabilities: ['audit', ''] }],
    ['a capability that is no text', { capabilities: [1] }],
    ['null for a description', { description: null }],
    ['a description of 4,001 characters', { description: 'x'.repeat(4_001) }],
    ['null for a wallet', { wallet_address: null }],
    ['a wallet with a wrong checksum', { wallet_address: WALLET.replace('C', 'c') }],
    ['the zero address', { wallet_address: `0x${'0'.repeat(40)}` }],
    ['a wallet of 19 bytes', { wallet_address: WALLET.slice(0, -2) }],
    ['a member nobody knows', { owner: 'acct_1' }],
    ['its own id', { id: 'agent_1' }],
    ['its own status', { status: 'active' }],
    ['the account', { account_id: 'acct_1' }],
  ])('may not say %s', (_, more) => {
    expect(() => publish({ ...agent, ...more })).toThrow(refusal);
  });

  it('is refused in words that do not repeat what was sent', () => {
    const reason = (body: object): string => {
      try {
        return JSON.stringify(publish(body));
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    expect(reason({ ...agent, agent_card_url: 'ftp://secret' })).toBe(
      'agent_card_url is an https URL of at most 2048 characters without credentials and fragment.',
    );
    expect(reason({ ...agent, owner: 'secret' })).toBe('The body has a member "owner", which is not known.');
  });
});

describe('a body that changes an agent', () => {
  it.each([
    { name: 'Lexica' },
    { agent_card_url: agent.agent_card_url },
    { capabilities: [] },
    { description: '' },
    { wallet_address: WALLET },
    { status: 'retired' },
    { name: 'Lexica', status: 'inactive' },
  ])('may be %j', (body) => {
    expect(update(body)).toEqual(body);
  });

  it.each<[string, object]>([
    ['empty', {}],
    ['suspension', { status: 'suspended' }],
    ['a status nobody knows', { status: 'ACTIVE' }],
    ['null for a status', { status: null }],
    ['null for a name', { name: null }],
    ['an empty name', { name: '' }],
    ['only what nobody knows', { owner: 'acct_1' }],
    ['something more that nobody knows', { name: 'Lexica', available: true }],
    ['a bad member beside a good one', { name: 'Lexica', capabilities: [''] }],
  ])('may not be %s', (_, body) => {
    expect(() => update(body)).toThrow(refusal);
  });
});

describe('a body about availability', () => {
  it.each<[object, string | null]>([
    [{ available: true }, null],
    [{ available: false, until: '2026-12-01T08:00:00Z' }, '2026-12-01T08:00:00.000Z'],
    [{ available: false, until: '2026-12-01T08:00:00.5Z' }, '2026-12-01T08:00:00.000Z'],
    [{ available: false, until: '2028-02-29T01:00:00+01:00' }, '2028-02-29T00:00:00.000Z'],
  ])('may be %j', (body, until) => {
    const checked = availability(body) as AgentAvailabilityBody;
    expect(untilIn(checked)?.toISOString() ?? null).toBe(until);
  });

  it.each<[string, object]>([
    ['empty', {}],
    ['a time alone', { until: '2026-12-01T08:00:00Z' }],
    ['a text for a truth', { available: 'true' }],
    ['a number for a truth', { available: 1 }],
    ['null', { available: null }],
    ['null for a time', { available: true, until: null }],
    ['a number for a time', { available: true, until: 1_795_000_000 }],
    ['a day', { available: true, until: '2026-12-01' }],
    ['a time without a zone', { available: true, until: '2026-12-01T08:00:00' }],
    ['an offset that does not exist', { available: true, until: '2026-12-01T08:00:00+24:00' }],
    ['a day that does not exist', { available: true, until: '2026-02-30T08:00:00Z' }],
    ['an hour that does not exist', { available: true, until: '2026-12-01T24:00:00Z' }],
    ['words', { available: true, until: 'tomorrow' }],
    ['a member nobody knows', { available: true, status: 'active' }],
  ])('may not be %s', (_, body) => {
    expect(() => availability(body)).toThrow(refusal);
  });
});
