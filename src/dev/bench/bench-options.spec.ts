import { CallFault, exitCodeOf } from '../processes/local-fault.js';
import { benchOptions } from './bench-options.js';

describe('the command line of the bench', () => {
  it('is the whole bench on a million tasks when nothing is asked for', () => {
    expect(benchOptions([])).toEqual({
      only: null,
      tasks: 1_000_000,
      agents: 1_000_000,
      trees: 5_000,
      nodes: 50_000,
      seconds: null,
      rounds: 5,
      samples: 1_000,
      whales: { dealt: 320_000, owned: 20_000, buyers: 50_000 },
      data: null,
    });
  });

  it('takes what is asked for', () => {
    expect(benchOptions(['--only', 'match', '--agents', '50000', '--data', '/texts'])).toMatchObject({
      only: 'match',
      agents: 50_000,
      data: '/texts',
    });
  });

  it('takes how large whales are', () => {
    expect(benchOptions(['--samples', '40', '--dealt', '1', '--owned', '2', '--buyers', '3'])).toMatchObject({
      samples: 40,
      whales: { dealt: 1, owned: 2, buyers: 3 },
    });
  });

  it('counts fewer agents in a first run of trust than match ranks', () => {
    expect(benchOptions(['--only', 'trust']).agents).toBe(100_000);
    expect(benchOptions(['--only', 'trust', '--agents', '7']).agents).toBe(7);
  });

  it('measures memory in a small market with the agents that the bar names', () => {
    expect(benchOptions(['--only', 'list'])).toMatchObject({ only: 'list', tasks: 20_000 });
    expect(benchOptions(['--only', 'memory'])).toMatchObject({ tasks: 20_000, agents: 200_000 });
    expect(benchOptions(['--only', 'memory', '--tasks', '7', '--agents', '8'])).toMatchObject({ tasks: 7, agents: 8 });
  });

  it.each([
    [['--owned', '0'], '--owned is "0"'],
    [['--only', 'maches'], 'There is no "maches" to measure.'],
    [['--rounds', 'many'], '--rounds is "many": give a whole number from 1 on.'],
    [['--seconds', '0'], '--seconds is "0"'],
    [['--task', '5'], '--task'],
    [['hostile'], 'hostile'],
  ])('answers %j with what is wrong, the usage and exit code 2', (args, sentence) => {
    const fault = faultOf(() => benchOptions(args));
    expect(fault).toBeInstanceOf(CallFault);
    expect(fault.message).toContain(sentence);
    expect(fault.message).toContain('npm run bench -- --only NAME');
    expect(exitCodeOf(fault)).toBe(2);
  });
});

function faultOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
