import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { type PacedOrder, runPaced } from './paced-load.js';

/**
 * Runs one load at fixed rates in its own process, so that hostile requests do not delay the clock of the measuring
 * process.
 */
stdout.write(`${JSON.stringify(await runPaced(JSON.parse(await text(stdin)) as PacedOrder))}\n`);
