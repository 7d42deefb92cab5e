import type { AgentStatus } from './agent.entity.js';
import {
  type AgentActor,
  availableSql,
  isAvailableAt,
  mayBecome,
  mayEdit,
  maySetAvailability,
  OWNER_STATUSES,
} from './agent.lifecycle.js';

const STATUSES: AgentStatus[] = ['active', 'inactive', 'retired', 'suspended'];
const ACTORS: AgentActor[] = ['owner', 'operator'];

/** All allowed transitions; every other one is refused. */
const ALLOWED = [
  'owner: active -> inactive',
  'owner: active -> retired',
  'owner: inactive -> active',
  'owner: inactive -> retired',
  'operator: active -> suspended',
  'operator: inactive -> suspended',
  'operator: suspended -> active',
  'operator: suspended -> inactive',
];

describe('an agent', () => {
  it('moves as the table says and in no other way', () => {
    const moves = ACTORS.flatMap((actor) =>
      STATUSES.flatMap((from) =>
        STATUSES.filter((to) => mayBecome(from, to, actor)).map((to) => `${actor}: ${from} -> ${to}`),
      ),
    );
    expect(moves.sort()).toEqual([...ALLOWED].sort());
  });

  it('never leaves retirement', () => {
    for (const actor of ACTORS) {
      expect(STATUSES.filter((to) => mayBecome('retired', to, actor))).toEqual([]);
    }
  });

  it('is never suspended or unsuspended by its owner', () => {
    expect(OWNER_STATUSES).not.toContain('suspended');
    expect(STATUSES.filter((to) => mayBecome('suspended', to, 'owner'))).toEqual([]);
  });

  it.each<[AgentStatus, boolean, boolean]>([
    ['active', true, true],
    ['inactive', true, true],
    ['suspended', true, false],
    ['retired', false, false],
  ])('that is %s may be edited: %s, and its availability set: %s', (status, edited, set) => {
    expect([mayEdit(status), maySetAvailability(status)]).toEqual([edited, set]);
  });
});

describe('availability', () => {
  const UNTIL = new Date('2026-11-20T12:00:00.000Z');
  const before = new Date(UNTIL.getTime() - 1);

  it.each([
    ['available for good', { available: true, availableUntil: null }, [true, true]],
    ['away for good', { available: false, availableUntil: null }, [false, false]],
    ['available until a time', { available: true, availableUntil: UNTIL }, [true, false]],
    ['away until a time', { available: false, availableUntil: UNTIL }, [false, true]],
  ])('%s holds until the last millisecond before that time and ends at it', (_, said, [early, late]) => {
    expect(isAvailableAt({ status: 'active', ...said }, before)).toBe(early);
    expect(isAvailableAt({ status: 'active', ...said }, UNTIL)).toBe(late);
  });

  it.each(STATUSES.filter((status) => status !== 'active'))('is none while %s, whatever was said', (status) => {
    expect(isAvailableAt({ status, available: true, availableUntil: null }, UNTIL)).toBe(false);
    expect(isAvailableAt({ status, available: false, availableUntil: UNTIL }, UNTIL)).toBe(false);
  });

  it('has the same rule in SQL', () => {
    expect(availableSql('a', '$2')).toBe('(a.available <> coalesce(a.available_until <= $2, false))');
  });
});
