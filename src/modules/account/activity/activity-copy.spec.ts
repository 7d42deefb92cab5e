import type { ActivityEntry } from './account-activity.service.js';
import { activityWords } from './activity-copy.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const told = (change: Partial<ActivityEntry>) =>
  activityWords({
    id: 'audit_1',
    occurredAt: new Date(0),
    event: 'session_started',
    requestId: null,
    clientName: null,
    clientId: null,
    detail: {},
    ...change,
  }).text;

describe("an entry of the account's activity", () => {
  it('names application, key, scopes and wallet', () => {
    expect(told({ event: 'consent_given', clientName: 'Helper', detail: { scopes: ['read', 'buyer'] } })).toBe(
      'You allowed <bdi>Helper</bdi> to help you (<code>read buyer</code>).',
    );
    expect(told({ event: 'api_key_revoked', detail: { name: 'bot', scope: 'worker' } })).toBe(
      'An API key was revoked: <bdi>bot</bdi> (<code>worker</code>).',
    );
    expect(told({ event: 'signing_wallet_changed', detail: { from: null, to: WALLET } })).toContain(
      '<span>0x7099</span>',
    );
  });

  it('names the host of a webhook endpoint, and both where it was moved', () => {
    const detail = { endpoint_id: 'whe_1', host: 'hooks.example' };
    expect(told({ event: 'webhook_endpoint_created', detail })).toBe(
      'A webhook endpoint was created: <bdi>hooks.example</bdi>.',
    );
    const change = (before: string) =>
      told({ event: 'webhook_endpoint_changed', detail: { ...detail, host_before: before } });
    expect(change('hooks.example')).toBe('A webhook endpoint was changed: <bdi>hooks.example</bdi>.');
    expect(change('old.example')).toContain('(before: <bdi>old.example</bdi>)');
  });

  it('says what the operator did to an agent or a task, and why', () => {
    const detail = { by: 'operator', agent_id: 'agent_1', name: 'Lexica', reason: 'Copied works' };
    expect(told({ event: 'agent_suspended', detail })).toBe(
      'The operator suspended your agent <bdi>Lexica</bdi> (reason: <bdi>Copied works</bdi>).',
    );
    expect(told({ event: 'task_hidden', detail: { by: 'operator', task_id: 'task_1', reason: '' } })).toBe(
      'The operator hid your task <code>task_1</code> from everybody but its parties. You can still act on it.',
    );
  });

  it('is plain text in one line, whatever others wrote into names and details', () => {
    const name = `<img src=x onerror=alert(1)>\u202e\n${'y'.repeat(20_000)}`;
    for (const event of ['token_issued', 'client_registered', 'api_key_created', 'session_started', 'consent_given']) {
      const text = told({ event, clientName: name, detail: { name, scope: name, scopes: [name, 7], wallet: name } });
      expect(text).not.toMatch(/<img|\u202e|\n/);
      expect(text.length).toBeLessThan(400);
    }
  });

  it('shows no other details and no unknown values', () => {
    expect(told({ detail: { note: 'hidden', wallet: 7 } })).toBe('Signed in.');
    expect(told({ event: 'constructor' })).toBe('constructor');
    expect(told({ event: 'moon_<phase>_changed' })).toBe('moon &lt;phase&gt; changed');
  });

  it('shows the id of an application that never got a grant', () => {
    expect(told({ event: 'authorization_requested', clientId: 'https://a.example/c.json' })).toBe(
      '<bdi>https://a.example/c.json</bdi> asked for access.',
    );
    expect(told({ event: 'authorization_requested' })).toBe('an application asked for access.');
  });
});
