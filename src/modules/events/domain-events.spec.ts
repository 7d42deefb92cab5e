import type { EntityManager } from 'typeorm';
import { projectTree } from '#libs/contracts';
import { DomainEvents } from './domain-events.js';
import type { TreesChanged } from './tree.events.js';

describe('DomainEvents', () => {
  const manager = {} as EntityManager;
  const change: TreesChanged = {
    type: 'trees_changed',
    tell: () => undefined,
    trees: [
      {
        taskId: 'task_1',
        buyerAccountId: 'acct_1',
        projection: projectTree([]),
        status: 'draft',
        selectedAgentId: null,
        nodes: [],
        steps: [],
        isShown: false,
        blockNumber: null,
      },
    ],
  };

  it("hands an event and the publisher's transaction to every handler, one after the other", async () => {
    const events = new DomainEvents();
    const calls: unknown[] = [];
    for (const name of ['slow', 'fast']) {
      events.on('trees_changed', async (given, event) => {
        calls.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, name === 'slow' ? 10 : 0));
        calls.push(`${name} ends`);
        expect([given, event]).toEqual([manager, change]);
      });
    }
    await events.publish(manager, change);
    expect(calls).toEqual(['slow begins', 'slow ends', 'fast begins', 'fast ends']);
  });

  it('calls those that make others wait after all others, whoever registered first', async () => {
    const events = new DomainEvents();
    const calls: string[] = [];
    events.onLast('trees_changed', async () => void calls.push('last'));
    events.on('trees_changed', async () => void calls.push('first'));
    await events.publish(manager, change);
    expect(calls).toEqual(['first', 'last']);
  });

  it('fails the publisher with the first handler that fails, and asks no other', async () => {
    const events = new DomainEvents();
    const last = jest.fn(async () => undefined);
    events.on('trees_changed', () => Promise.reject(new Error('no room')));
    events.on('trees_changed', last);
    await expect(events.publish(manager, change)).rejects.toThrow('no room');
    expect(last).not.toHaveBeenCalled();
  });
});
