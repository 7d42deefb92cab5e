import { Seeded } from '../../../../dev/eval/statistics/seeded.js';
import { type PaidWork, SettledWork } from './settled-work.js';

const by = (agentNumber: number, payer = 'buyer', worker = `worker_${agentNumber}`): PaidWork => ({
  agentNumber,
  payer,
  worker,
});
const alike = (...briefs: [number, number][]) => briefs.map(([document, sum]) => ({ document, sum }));

describe('settled work', () => {
  it('has each agent with its most similar brief, the most similar first, of equal ones the lowest number', () => {
    const work = new SettledWork();
    work.set(1, [by(30), by(20)]);
    work.set(2, [by(10), by(30)]);
    work.set(3, [by(5)]);
    expect([...work.settledAgents(alike([1, 7], [2, 9]), false)]).toEqual([
      [10, 9],
      [30, 9],
      [20, 7],
    ]);
    expect([...work.settledAgents(alike([4, 7]), false)]).toEqual([]);
  });

  it("leaves out work that an agent's own owner paid for", () => {
    const work = new SettledWork();
    work.set(1, [by(1, 'same', 'same'), by(2, 'a', 'b')]);
    const settled = (): number[] => [...work.settledAgents(alike([1, 1]), false).keys()];
    expect(settled()).toEqual([2]);
    work.replacePrincipals({ clusters: new Map([['a', 'b']]), independent: [] });
    expect(settled()).toEqual([]);
    work.replacePrincipals({
      clusters: new Map([
        ['a', 'one'],
        ['b', 'other'],
      ]),
      independent: [],
    });
    expect(settled()).toEqual([2]);
    work.replacePrincipals({ clusters: new Map(), independent: [] });
    expect(settled()).toEqual([2]);
  });

  it('knows which briefs count for any agent', () => {
    const work = new SettledWork();
    work.set(1, [by(1, 'same', 'same')]);
    work.set(2, [by(1, 'same', 'same'), by(2, 'a', 'b')]);
    work.replacePrincipals({ clusters: new Map(), independent: ['other'] });
    const counted = (anchored: boolean): boolean[] => [1, 2, 3].map((brief) => work.hasCounted(brief, anchored));
    expect(counted(false)).toEqual([false, true, false]);
    expect(counted(true)).toEqual([false, false, false]);
  });

  it('has only what independent clusters paid for, where the operator has named verified buyers', () => {
    const work = new SettledWork();
    work.set(1, [by(1, 'alone'), by(2, 'joined'), by(3, 'unknown')]);
    work.replacePrincipals({ clusters: new Map([['joined', 'group']]), independent: ['group', 'alone', 'nobody'] });
    expect([...work.settledAgents(alike([1, 1]), true).keys()]).toEqual([1, 2]);
    work.replacePrincipals({ clusters: new Map([['joined', 'group']]), independent: ['joined'] });
    expect([...work.settledAgents(alike([1, 1]), true).keys()]).toEqual([]);
    expect(work.settledAgents(alike([1, 1]), false).size).toBe(3);
  });

  it.each([1, 2, 3])('has what was set last, whatever was there before, seed %i', (seed) => {
    const chance = new Seeded(seed);
    const work = new SettledWork();
    const last = new Map<number, PaidWork[]>();
    for (let n = 0; n < 30_000; n += 1) {
      const brief = 1 + chance.below(2_000);
      const made = Array.from({ length: chance.below(5) }, () => by(1 + chance.below(40), `buyer_${chance.below(9)}`));
      work.set(brief, made);
      last.set(brief, made);
    }
    for (const [brief, made] of last) {
      const expected = new Set(made.map(({ agentNumber }) => agentNumber));
      expect(new Set(work.settledAgents(alike([brief, 3]), false).keys())).toEqual(expected);
    }
    expect(last.size).toBeGreaterThan(1_000);
  });

  it('takes no more room for the same again', () => {
    const work = new SettledWork();
    work.set(1, [by(1), by(2), by(3)]);
    const { bytes } = work;
    for (let n = 0; n < 10_000; n += 1) work.set(1, [by(1), by(2), by(3)]);
    expect(work.bytes).toBe(bytes);
  });

  it('frees the memory of lists that grew, shrank or were emptied', () => {
    const work = new SettledWork();
    for (let round = 0; round < 200; round += 1) {
      for (let brief = 1; brief <= 100; brief += 1) {
        work.set(
          brief,
          Array.from({ length: (brief + round) % 10 }, (_, n) => by(n + 1)),
        );
      }
    }
    // 100 briefs with 4.5 settlements each: 1,450 numbers, and at most as many unused ones.
    expect(work.bytes).toBeLessThan(4 * 3 * (1_024 + 2 * 1_450));
    expect(work.settledAgents(alike([100, 1]), false).size).toBe((100 + 199) % 10);
    for (let brief = 101; brief <= 5_000; brief += 1) work.set(brief, [by(1), by(2), by(3)]);
    for (let brief = 101; brief <= 5_000; brief += 1) work.set(brief, []);
    // The same, and the start of each of the 5,000 briefs' lists.
    expect(work.bytes).toBeLessThan(4 * (3 * (1_024 + 2 * 1_450) + 2 * 5_000));
    expect(work.settledAgents(alike([100, 1]), false).size).toBe((100 + 199) % 10);
  });
});
