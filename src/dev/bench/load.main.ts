import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { runLoad } from './load.js';
import type { LoadOrder } from './load-order.js';

/** One load, in a process of its own, so that what it costs is not counted as the service's. */
stdout.write(`${JSON.stringify(await runLoad(JSON.parse(await text(stdin)) as LoadOrder))}\n`);
