import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runPaced } from './paced-load.js';

const HELD_MS = 300;

let server: Server;

afterEach(() => {
  server.close();
});

/** Serves each request when the promise of `answer` resolves: 200 for a good key. */
async function serve(answer: () => Promise<void>): Promise<string> {
  server = createServer((request, response) => {
    request.resume();
    void answer().then(() => response.writeHead(request.headers['x-api-key'] === 'good' ? 200 : 401).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a load at fixed rates', () => {
  it('sends as many as its time and rate make, and counts the answers of each lane', async () => {
    const url = await serve(() => Promise.resolve());
    const lane = { perSecond: 20, requests: [{ method: 'GET', path: '/', key: 'good' }] };
    const results = await runPaced({
      url,
      seconds: 0.5,
      lanes: [
        { name: 'one', ...lane },
        { name: 'other', perSecond: 10, requests: [{ method: 'POST', path: '/', key: 'bad', body: '{}' }] },
      ],
    });
    expect(results.map(({ name, times, statuses }) => ({ name, sent: times.length, statuses }))).toEqual([
      { name: 'one', sent: 10, statuses: { 200: 10 } },
      { name: 'other', sent: 5, statuses: { 401: 5 } },
    ]);
  });

  it('does not wait for an answer before it sends the next, so that whoever is held up is measured', async () => {
    let waiting = 0;
    let most = 0;
    const url = await serve(async () => {
      waiting += 1;
      most = Math.max(most, waiting);
      await new Promise((resolve) => setTimeout(resolve, HELD_MS));
      waiting -= 1;
    });
    const requests = [{ method: 'GET', path: '/', key: 'good' }];
    const [result] = await runPaced({ url, seconds: 0.5, lanes: [{ name: 'held', perSecond: 20, requests }] });
    expect(most).toBeGreaterThan(1);
    expect(Math.min(...(result?.times ?? []))).toBeGreaterThanOrEqual(HELD_MS - 5);
  });
});
