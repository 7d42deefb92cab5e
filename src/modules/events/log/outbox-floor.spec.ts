import { OutboxFloor } from './outbox-floor.js';

const look = (first: number | null, given: number, oldest: number, next: number) => ({
  first: first === null ? null : String(first),
  given: String(given),
  oldest: String(oldest),
  next: String(next),
});

describe('the floor of the outbox', () => {
  it('rises to the numbers of a look once all that had begun by the next one have ended', () => {
    const floor = new OutboxFloor();
    floor.learn(look(null, 10, 100, 105));
    // The numbers of the first look are awaited from here on, not yet those of this one.
    floor.learn(look(null, 20, 100, 110));
    expect(floor.value).toBe('0');
    floor.learn(look(null, 30, 109, 120));
    expect(floor.value).toBe('0');
    floor.learn(look(null, 40, 110, 130));
    expect(floor.value).toBe('10');
  });

  it('stays while a transaction is open that may hold a smaller number', () => {
    const floor = new OutboxFloor();
    for (let n = 1; n < 100; n += 1) floor.learn(look(null, n * 10, 5, 5 + n * 10));
    expect(floor.value).toBe('0');
  });

  it('stays below what is visible and waits', () => {
    const floor = new OutboxFloor();
    floor.learn(look(null, 10, 100, 100));
    floor.learn(look(8, 10, 100, 100));
    floor.learn(look(8, 10, 100, 100));
    expect(floor.value).toBe('7');
  });
});
