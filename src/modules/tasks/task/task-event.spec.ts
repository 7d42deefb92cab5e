import type { TaskStatus } from '#libs/contracts';
import { plainAudience, taskEventType } from './task-event.js';
import type { TaskEntity } from './task.entity.js';

const of = (status: TaskStatus, selectionActionId: string | null = null) => ({ status, selectionActionId });

describe('the event of a change of a task', () => {
  it.each([
    ['a new draft', null, of('draft'), 'task.created'],
    ['a signed creation', of('draft'), of('open'), 'task.opened'],
    ['a signed selection', of('open'), of('selected', 'act_1'), 'task.agent_selected'],
    ['another selection', of('selected', 'act_1'), of('selected', 'act_2'), 'task.agent_selected'],
    ['a selection that has lapsed', of('selected', 'act_1'), of('open', 'act_1'), 'task.updated'],
    ['a submitted payment', of('selected', 'act_1'), of('funding_pending', 'act_1'), 'task.updated'],
    ['a payment that has lapsed', of('funding_pending', 'act_1'), of('selected', 'act_1'), 'task.updated'],
    ['a draft that nobody signed', of('draft'), of('cancelled'), 'task.cancelled'],
    ['the end of the time for offers', of('open'), of('expired'), 'task.expired'],
    ['a draft signed when its time was over', of('draft'), of('expired'), 'task.expired'],
    ['no change', of('open'), of('open'), null],
    ['a payment on the chain', of('funding_pending', 'act_1'), of('funded', 'act_1'), null],
    ['money that went back', of('funded', 'act_1'), of('refunded', 'act_1'), null],
  ] as const)('%s', (_what, before, after, type) => {
    expect(taskEventType(before, after)).toBe(type);
  });
});

describe('who reads the events of a task by its status', () => {
  const task = (own: Partial<TaskEntity>): TaskEntity =>
    ({ buyerAccountId: 'acct_buyer', tier: 'public', status: 'open', hiddenAt: null, ...own }) as TaskEntity;

  it.each([
    ['everybody, of a public task', {}, 'public'],
    ['the buyer alone, of a draft', { status: 'draft' }, ['acct_buyer']],
    ['the buyer alone, of a draft that came to nothing', { status: 'cancelled' }, ['acct_buyer']],
    ['its parties, of a private task', { tier: 'private_curated' }, null],
    ['its parties, of a task that the operator hides', { hiddenAt: new Date(0) }, null],
  ] as const)('%s', (_who, own, audience) => {
    expect(plainAudience(task(own))).toEqual(audience);
  });
});
