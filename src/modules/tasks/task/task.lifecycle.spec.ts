import type { TaskStatus } from '#libs/contracts';
import {
  asOf,
  mayFollow,
  selectedNode,
  takesOffers,
  TASK_TRANSITIONS,
  type TaskEvent,
  type TaskFacts,
  taskStanding,
  TIME_EVENTS,
} from './task.lifecycle.js';
import { TaskEntity } from './task.entity.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
const at = (hours: number): Date => new Date(NOW + hours * HOUR);

/** A new draft, whose creation can be signed for an hour and whose offers end in ten hours. */
const DRAFT: TaskFacts = {
  offersUntil: at(10),
  draftUntil: at(1),
  openedAt: null,
  chainStatus: null,
  chainAgentId: null,
  fundedRoots: [],
  selectionAgentId: null,
  selectionNodePath: null,
  selectionUntil: null,
  fundingNodePath: null,
  fundingUntil: null,
};
const OPEN = { ...DRAFT, openedAt: at(0) };
const SIGNED = { selectionAgentId: 'agent_s', selectionNodePath: 2n, selectionUntil: at(3) };
const PAID = { fundingNodePath: 2n, fundingUntil: at(2) };
const REFUNDED: Partial<TaskFacts> = {
  chainStatus: 'refunded',
  chainAgentId: 'agent_c',
  fundedRoots: ['1'],
};

const facts = (...changes: object[]): TaskFacts => Object.assign({ ...DRAFT }, ...changes) as TaskFacts;
const statusAt = (task: TaskFacts, ms: number): TaskStatus => taskStanding(task, ms).status;

describe('the status of a task', () => {
  it.each(['funded', 'delivered', 'rejected', 'disputed', 'resolved'] as const)(
    'is %s when the chain says so, whatever was signed and however late it is',
    (chainStatus) => {
      const task = facts(SIGNED, PAID, { chainStatus, chainAgentId: 'agent_c', fundedRoots: ['1'] });
      for (const hours of [-1, 0, 2, 5, 1_000]) {
        const standing = { status: chainStatus, selectedAgentId: 'agent_c', changesAt: null };
        expect(taskStanding(task, at(hours).getTime())).toEqual(standing);
      }
    },
  );

  /** For every time limit: the task, its last moment, the status then, and the status one millisecond later. */
  it.each<[string, TaskFacts, Date, TaskStatus, TaskStatus]>([
    ['a draft, when its signature can no longer come', DRAFT, at(1), 'draft', 'cancelled'],
    ['a draft, at the end of its offers at the latest', facts({ draftUntil: at(20) }), at(10), 'draft', 'cancelled'],
    ['a draft without an action', facts({ draftUntil: null }), at(10), 'draft', 'cancelled'],
    ['a task that is open by signature', OPEN, at(10), 'open', 'expired'],
    ['a signed selection', facts(OPEN, SIGNED), at(3), 'selected', 'open'],
    [
      'a signed selection that outlasts the offers',
      facts(OPEN, SIGNED, { offersUntil: at(2) }),
      at(2),
      'selected',
      'expired',
    ],
    ['a payment', facts(OPEN, SIGNED, PAID), at(2), 'funding_pending', 'selected'],
    [
      'a payment as long as its selection',
      facts(OPEN, SIGNED, PAID, { fundingUntil: at(3) }),
      at(3),
      'funding_pending',
      'open',
    ],
    [
      'a payment beyond the end of offers',
      facts(OPEN, SIGNED, PAID, { offersUntil: at(1) }),
      at(2),
      'funding_pending',
      'expired',
    ],
    ['a new selection after a refund', facts(OPEN, REFUNDED, SIGNED), at(3), 'selected', 'refunded'],
    ['a new payment after a refund', facts(OPEN, REFUNDED, PAID), at(2), 'funding_pending', 'refunded'],
  ])('ends by time: %s', (_what, task, last, before, after) => {
    const end = last.getTime();
    expect([end - 1, end, end + 1].map((ms) => statusAt(task, ms))).toEqual([before, before, after]);
    expect(taskStanding(task, end - 1).changesAt).toEqual(new Date(end + 1));
    expect(taskStanding(task, end).changesAt).toEqual(new Date(end + 1));
  });

  it('does not change by time once it is expired, cancelled or refunded', () => {
    for (const task of [OPEN, DRAFT, facts(OPEN, REFUNDED)]) {
      const standing = taskStanding(task, at(11).getTime());
      expect(standing.changesAt).toBeNull();
      expect(taskStanding(task, at(10_000).getTime())).toEqual(standing);
    }
  });

  it('of a cancelled task is what a payment makes of it, which the buyer may send without a signed creation', () => {
    expect(statusAt(DRAFT, at(2).getTime())).toBe('cancelled');
    expect(statusAt(facts({ chainStatus: 'funded', fundedRoots: ['1'] }), at(2).getTime())).toBe('funded');
  });

  it('shows the agent as long as it is selected', () => {
    const agents = (task: TaskFacts, ...hours: number[]) =>
      hours.map((hour) => taskStanding(task, at(hour).getTime()).selectedAgentId);
    expect(agents(facts(OPEN, SIGNED), 3, 3.1)).toEqual(['agent_s', null]);
    expect(agents(facts(OPEN, SIGNED, PAID), 1)).toEqual(['agent_s']);
    expect(agents(facts(OPEN, REFUNDED), 1)).toEqual(['agent_c']);
    expect(agents(facts(OPEN, REFUNDED, SIGNED), 1, 4)).toEqual(['agent_s', 'agent_c']);
  });

  it('names the node of the selection while it stands, after a refund too', () => {
    expect(selectedNode(facts(OPEN, SIGNED), at(3).getTime())).toBe(2n);
    expect(selectedNode(facts(OPEN, SIGNED), at(3.1).getTime())).toBeNull();
    expect(selectedNode(facts(OPEN, SIGNED, { offersUntil: at(1) }), at(2).getTime())).toBeNull();
    expect(selectedNode(facts(OPEN, REFUNDED, SIGNED), at(3).getTime())).toBe(2n);
  });

  it('does not return to a selection or payment whose node was funded', () => {
    const over = facts(SIGNED, PAID, REFUNDED, { fundedRoots: ['2'] });
    expect(statusAt(over, NOW)).toBe('refunded');
    expect(selectedNode(over, NOW)).toBeNull();
  });

  it('returns to them when a reorganisation removes the node', () => {
    expect(statusAt(facts(OPEN, SIGNED, PAID), NOW)).toBe('funding_pending');
    expect(statusAt(facts(OPEN, SIGNED), NOW)).toBe('selected');
  });
});

/** Every possible combination of facts. A task with a selection or payment was always published before. */
function everyTask(): TaskFacts[] {
  const ends = [at(2), at(6)];
  const chains: Partial<TaskFacts>[] = [
    {},
    REFUNDED,
    { ...REFUNDED, fundedRoots: ['2'] },
    { ...REFUNDED, chainStatus: 'funded' },
  ];
  return chains.flatMap((chain) =>
    [at(4), at(8)].flatMap((offersUntil) =>
      [null, at(1), at(9)].flatMap((draftUntil) =>
        [null, at(0)].flatMap((openedAt) =>
          (openedAt === null ? [null] : [null, ...ends]).flatMap((selectionUntil) =>
            (openedAt === null ? [null] : [null, ...ends]).map((fundingUntil) =>
              facts(
                { offersUntil, draftUntil, openedAt },
                selectionUntil === null ? {} : { ...SIGNED, selectionUntil },
                fundingUntil === null ? {} : { fundingNodePath: 2n, fundingUntil },
                chain,
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

describe('time', () => {
  it('changes every task only by transitions of the table, and at some point no more', () => {
    let changes = 0;
    for (const task of everyTask()) {
      let now = NOW;
      for (let step = 0; step < 6; step += 1) {
        const { status, changesAt } = taskStanding(task, now);
        if (changesAt === null) break;
        expect(changesAt.getTime()).toBeGreaterThan(now);
        expect(statusAt(task, changesAt.getTime() - 1)).toBe(status);
        const next = statusAt(task, changesAt.getTime());
        const isWay = TASK_TRANSITIONS.some(
          ([from, by, to]) => TIME_EVENTS.some((event) => event === by) && from.includes(status) && to === next,
        );
        // Replacing a selection or payment by another one with the same status is no transition.
        if (status !== next && !isWay) throw new Error(`${status} -> ${next} of ${JSON.stringify(task)}`);
        changes += 1;
        now = changesAt.getTime();
        if (step === 5) throw new Error(`Time does not stop for ${JSON.stringify(task)}`);
      }
      expect(taskStanding(task, now + 1_000 * HOUR).changesAt).toBeNull();
    }
    expect(changes).toBeGreaterThan(100);
  });

  it('never changes a status before `changesAt`', () => {
    for (const task of everyTask()) {
      const { status, changesAt } = taskStanding(task, NOW);
      const end = changesAt?.getTime() ?? at(100).getTime();
      for (let ms = NOW; ms < end; ms += HOUR / 2) expect(statusAt(task, ms)).toBe(status);
    }
  });
});

describe('the table', () => {
  const STATUSES: readonly TaskStatus[] = [
    'draft',
    'open',
    'selected',
    'funding_pending',
    'funded',
    'delivered',
    'rejected',
    'disputed',
    'resolved',
    'refunded',
    'cancelled',
    'expired',
  ];
  const ALLOWED: Record<string, readonly TaskStatus[]> = {
    creation_signed: ['draft'],
    selection_signed: ['open', 'selected', 'refunded'],
    payment_submitted: ['selected', 'funding_pending'],
    node_funded: ['draft', 'open', 'selected', 'funding_pending', 'refunded', 'cancelled', 'expired'],
    node_delivered: ['funded', 'rejected'],
    node_rejected: ['delivered'],
    node_disputed: ['rejected'],
    node_released: ['funded', 'delivered', 'rejected', 'disputed'],
    node_refunded: ['funded', 'delivered', 'rejected', 'disputed'],
    creation_lapsed: ['draft'],
    offers_ended: ['open', 'selected'],
    selection_lapsed: ['selected'],
    payment_lapsed: ['funding_pending'],
  };

  it.each(STATUSES)('lets exactly these events happen to a task that is %s', (status) => {
    for (const [event, from] of Object.entries(ALLOWED)) {
      const isWay = mayFollow(status, event as TaskEvent);
      expect([event, isWay]).toEqual([event, from.includes(status)]);
    }
    expect(new Set(TASK_TRANSITIONS.map(([, event]) => event))).toEqual(new Set(Object.keys(ALLOWED)));
  });

  it('can reach every status, and every status without money in the tree has a next one or is final', () => {
    const reached = new Set(TASK_TRANSITIONS.map(([, , to]) => to));
    expect(STATUSES.filter((status) => !reached.has(status))).toEqual(['draft']);
  });
});

describe('a task as it is read', () => {
  it('has its current status, and is unchanged before its time', () => {
    const row = Object.assign(new TaskEntity(), OPEN, { status: 'open', statusDueAt: new Date(at(10).getTime() + 1) });
    expect(asOf(row, at(10).getTime())).toMatchObject({ status: 'open' });
    expect(asOf(row, at(10).getTime() + 1)).toMatchObject({ status: 'expired', statusDueAt: null });
  });

  it('takes offers until the deadline, also after a refund, and never while a node holds money', () => {
    const offered = (status: TaskStatus, hours: number) =>
      takesOffers({ status, offersUntil: at(10) }, at(hours).getTime());
    expect(
      (['open', 'selected', 'refunded'] as const).map((status) => [offered(status, 10), offered(status, 10.1)]),
    ).toEqual([
      [true, false],
      [true, false],
      [true, false],
    ]);
    for (const status of ['draft', 'funding_pending', 'funded', 'resolved', 'expired', 'cancelled'] as const) {
      expect(offered(status, 1)).toBe(false);
    }
  });
});
