import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { runLoad } from './load.js';
import type { LoadOrder } from './load-order.js';

/** Runs one load in its own process, so that its CPU time is not counted as the service's. */
stdout.write(`${JSON.stringify(await runLoad(JSON.parse(await text(stdin)) as LoadOrder))}\n`);
