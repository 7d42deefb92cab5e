import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { type PacedOrder, runPaced } from './paced-load.js';

/** One load at fixed rates, in a process of its own: those who attack must not hold up the clock of those who measure. */
stdout.write(`${JSON.stringify(await runPaced(JSON.parse(await text(stdin)) as PacedOrder))}\n`);
