import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeLimit } from './time-limit.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('ends what depends on it, although garbage was collected meanwhile', async () => {
  const end = AbortSignal.any([new AbortController().signal, timeLimit(300)]);
  const ended = new Promise((resolve) => end.addEventListener('abort', () => resolve(end.reason)));
  for (let time = 0; time < 4; time += 1) {
    collect();
    await pause(20);
  }
  const late = pause(20_000, 'never', { ref: false });
  await expect(Promise.race([ended, late])).resolves.toMatchObject({ name: 'TimeoutError' });
}, 30_000);
