import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { StaticAnswer } from './static-answer.js';

/** As large as the script of the reference. */
const TEXT = Array.from({ length: 200_000 }, (_, n) => `${(n * 7919) % 100_003};`).join('');

it.each(['br', 'gzip'])('%s is made beside the event loop: others are served meanwhile', async (encoding) => {
  const answer = new StaticAnswer('text/plain; charset=utf-8', TEXT);
  let turnsOfOthers = 0;
  const app = express();
  app.get('/', async (request, response) => {
    const sent = answer.send(request, response);
    expect(response.writableEnded).toBe(false);
    while (!response.writableEnded) {
      turnsOfOthers += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await sent;
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const received = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'Accept-Encoding': encoding } });
  expect([received.headers.get('content-encoding'), await received.text()]).toEqual([encoding, TEXT]);
  expect(turnsOfOthers).toBeGreaterThan(0);
  await new Promise((resolve) => server.close(resolve));
});
