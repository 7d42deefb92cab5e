import { RegularWork } from './regular-work.js';

class Counting extends RegularWork {
  rounds = 0;
  end: () => void = () => undefined;

  constructor(private readonly fails = false) {
    super('test', 5, 'All stays');
  }

  override async sweep(): Promise<number> {
    this.rounds += 1;
    if (this.fails) throw new Error('away');
    await new Promise<void>((resolve) => (this.end = resolve));
    return this.isEnding ? 0 : 1;
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits as long as the test may take. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await later(1);
};

describe('regular work', () => {
  it('never begins a round while one is running, and begins another once it is over', async () => {
    const work = new Counting();
    work.onApplicationBootstrap();
    await until(() => work.rounds === 1);
    await later(40);
    expect(work.rounds).toBe(1);
    work.end();
    await until(() => work.rounds === 2);
    work.end();
    await work.onModuleDestroy();
  });

  it('goes on after a round that failed', async () => {
    const work = new Counting(true);
    work.onApplicationBootstrap();
    await until(() => work.rounds > 1);
    await work.onModuleDestroy();
    const rounds = work.rounds;
    await later(20);
    expect(work.rounds).toBe(rounds);
  });

  it('waits at its end for the round that is running', async () => {
    const work = new Counting();
    work.onApplicationBootstrap();
    await until(() => work.rounds === 1);
    let isOver = false;
    const over = work.onModuleDestroy().then(() => (isOver = true));
    await later(10);
    expect(isOver).toBe(false);
    work.end();
    await over;
  });
});
