import type { TaskStatus } from '#libs/contracts';
import { taskOutlook } from './task-outlook.js';

const OFFERS_UNTIL = new Date('2026-12-04T12:00:00.000Z');
const DUE = '2026-11-22T08:00:00.000Z';

function outlook(status: TaskStatus, due: string | null, fundedRoots: string[] = []) {
  const statusDueAt = due === null ? null : new Date(Date.parse(due) + 1);
  return taskOutlook({ status, statusDueAt, offersUntil: OFFERS_UNTIL, fundedRoots });
}

it.each<[TaskStatus, string | null, string[], string]>([
  [
    'draft',
    DUE,
    [],
    'Unless the buyer signs its creation by 2026-11-22T08:00:00Z, the draft is cancelled; no money is involved.',
  ],
  [
    'open',
    OFFERS_UNTIL.toISOString(),
    [],
    'Without a funded node by 2026-12-04T12:00:00Z, the task expires; no money is involved.',
  ],
  [
    'selected',
    DUE,
    [],
    'Unless the selected offer is funded by 2026-11-22T08:00:00Z, the task is open again; no money is involved.',
  ],
  [
    'selected',
    OFFERS_UNTIL.toISOString(),
    [],
    'Unless the selected offer is funded by 2026-12-04T12:00:00Z, the task expires; no money is involved.',
  ],
  [
    'selected',
    DUE,
    ['1'],
    'Unless the selected offer is funded by 2026-11-22T08:00:00Z, the selection lapses; no money moves.',
  ],
  [
    'funding_pending',
    DUE,
    [],
    'Unless the payment that was handed in is executed by 2026-11-22T08:00:00Z, it lapses and no money moves.',
  ],
  ['cancelled', null, [], 'It is over: its creation was never signed, and no money is involved.'],
  ['expired', null, [], 'It is over: no node was funded in time, and no money is involved.'],
])('a task that is %s until %s says what happens if nobody acts', (status, due, fundedRoots, next) => {
  expect(outlook(status, due, fundedRoots)).toEqual({ dueAt: due === null ? null : new Date(due), next });
});

it.each(['funded', 'delivered', 'rejected', 'disputed', 'resolved', 'refunded'] as const)(
  'a task that is %s leaves its future to the root node',
  (status) => expect(outlook(status, null)).toBeNull(),
);
