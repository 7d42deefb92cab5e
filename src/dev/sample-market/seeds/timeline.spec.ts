import { type At, Timeline } from './timeline.js';

describe('Timeline', () => {
  const runAll = async (scenarios: ((at: At, say: (text: string) => void) => Promise<void>)[]): Promise<string[]> => {
    const lines: string[] = [];
    let now = 0;
    const timeline = new Timeline((seconds) => (now = seconds));
    await timeline.run(scenarios.map((scenario) => (at) => scenario(at, (text) => lines.push(`${now} ${text}`))));
    return lines;
  };

  it('runs the steps of all scenarios in order of time, in whatever order the scenarios are given', async () => {
    const lines = await runAll([
      async (at, say) => {
        await at(30);
        say('a');
        await at(50);
        say('b');
      },
      async (at, say) => {
        await at(10);
        say('c');
        await at(40);
        say('d');
      },
    ]);
    expect(lines).toEqual(['10 c', '30 a', '40 d', '50 b']);
  });

  it('lets a scenario finish its asynchronous work before the next moment begins', async () => {
    const lines = await runAll([
      async (at, say) => {
        await at(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        say('slow');
      },
      async (at, say) => {
        await at(2);
        say('next');
      },
    ]);
    expect(lines).toEqual(['1 slow', '2 next']);
  });

  it('stops all scenarios at the first failure', async () => {
    const lines: string[] = [];
    const timeline = new Timeline(() => undefined);
    const failing = async (at: At): Promise<void> => {
      await at(1);
      throw new Error('broke');
    };
    const other = async (at: At): Promise<void> => {
      await at(2);
      lines.push('went on');
    };
    await expect(timeline.run([failing, other])).rejects.toThrow('broke');
    expect(lines).toEqual([]);
  });
});
