import type { TaskStatus, TreeStep } from '#libs/contracts';
import { chainChanges, plainAudience, taskEventType } from './task-event.js';
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
    [
      'a payment that has lapsed after a refund',
      of('funding_pending', 'act_1'),
      of('refunded', 'act_1'),
      'task.updated',
    ],
    ['a delivery that the chain has taken back', of('delivered', 'act_1'), of('funded', 'act_1'), 'task.updated'],
  ] as const)('%s', (_what, before, after, type) => {
    expect(taskEventType(before, after)).toBe(type);
  });
});

describe('the changes of a task by facts of the chain', () => {
  const step = (statusBefore: TaskStatus | null, status: TaskStatus | null): TreeStep =>
    ({ statusBefore, status }) as TreeStep;
  const told = (before: TaskStatus, task: TaskStatus, ...steps: TreeStep[]): unknown[] =>
    chainChanges(of(before), of(task) as TaskEntity, steps).map(({ type, before: was, to, cause }) => [
      type,
      was?.status,
      to,
      cause === null ? 'follows' : steps.indexOf(cause),
    ]);

  it('are one for each fact that changes the status, in their order', () => {
    const facts = [step(null, 'funded'), step('funded', 'funded'), step('funded', 'delivered')];
    expect(told('funding_pending', 'delivered', ...facts)).toEqual([
      ['task.funded', 'funding_pending', 'funded', 0],
      ['task.delivered', 'funded', 'delivered', 2],
    ]);
    const again = [step('delivered', 'rejected'), step('rejected', 'delivered')];
    expect(told('delivered', 'delivered', ...again)).toEqual([
      ['task.rejected', 'delivered', 'rejected', 0],
      ['task.delivered', 'rejected', 'delivered', 1],
    ]);
  });

  it('end with the status that a standing selection gives', () => {
    expect(told('funded', 'selected', step('funded', 'refunded'))).toEqual([
      ['task.refunded', 'funded', 'refunded', 0],
      ['task.updated', 'refunded', 'selected', 'follows'],
    ]);
  });

  it('tell again what the chain has taken back and made again, and what it has taken back alone', () => {
    expect(told('funded', 'funded', step(null, 'funded'))).toEqual([['task.funded', undefined, 'funded', 0]]);
    expect(told('delivered', 'delivered', step('funded', 'delivered'))).toEqual([
      ['task.delivered', 'funded', 'delivered', 0],
    ]);
    expect(told('delivered', 'funded')).toEqual([['task.updated', 'delivered', 'funded', 'follows']]);
    expect(told('funded', 'funded')).toEqual([]);
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
