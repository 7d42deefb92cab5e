import { AgentEntity } from './agent.entity.js';
import { agentUpdates } from './agent-event.js';

const AT = new Date('2026-11-20T12:00:00.000Z');
const agent = (own: Partial<AgentEntity> = {}): AgentEntity =>
  Object.assign(new AgentEntity(), {
    id: 'agent_1',
    accountId: 'acct_owner',
    name: 'Lexica',
    agentCardUrl: 'https://agents.example/',
    capabilities: ['counting'],
    description: 'Counts.',
    walletAddress: '0x1',
    status: 'active',
    updatedAt: AT,
    ...own,
  });

describe('the event of a changed agent', () => {
  it('names the changed members, without their values', () => {
    const [event, ...others] = agentUpdates(agent(), agent({ name: 'Lingua', capabilities: ['counting', 'reading'] }));
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'agent.updated',
      at: AT,
      audience: ['acct_owner'],
      data: { changed: ['name', 'capabilities'], updated_at: AT.toISOString() },
    });
    expect(event?.data).not.toHaveProperty('status');
    expect(JSON.stringify(event)).not.toMatch(/Lingua|reading/);
  });

  it('says from which status to which, as when the operator suspends it', () => {
    const [event] = agentUpdates(agent(), agent({ status: 'suspended' }));
    expect(event?.data).toEqual({ status: { from: 'active', to: 'suspended' }, updated_at: AT.toISOString() });
  });

  it('is none when everything stays as it was', () => {
    expect(agentUpdates(agent(), agent({ updatedAt: new Date() }))).toEqual([]);
  });
});
