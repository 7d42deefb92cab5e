import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { linger, UploadBytes } from './upload-bytes.js';

const MINUTE_MS = 60_000;
let request: PassThrough & { complete: boolean };
let upload: UploadBytes;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  request = Object.assign(new PassThrough(), { complete: false });
  upload = new UploadBytes(request as unknown as Request, 1_000);
});
afterEach(() => jest.useRealTimers());

/** Waits for one turn of the event loop, so that streams pass on their data. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function readAll(): Promise<number> {
  let count = 0;
  for await (const chunk of upload) count += chunk.length;
  return count;
}

it('counts and digests what comes', async () => {
  const reading = readAll();
  request.write('hel');
  request.end('lo');
  expect([await reading, upload.bytes]).toEqual([5, 5]);
  expect(upload.digest()).toBe('0x2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
});

it('an upload without data for half a minute is aborted', async () => {
  const reading = readAll().catch((error: unknown) => error);
  request.write('hello');
  await turn();
  jest.advanceTimersByTime(MINUTE_MS / 2 - 1);
  await turn();
  expect(request.destroyed).toBe(false);
  jest.advanceTimersByTime(1);
  expect(await reading).toMatchObject({ code: 'invalid_request' });
  expect(request.destroyed).toBe(true);
});

it('an upload is aborted after half an hour even when data keeps coming', async () => {
  const reading = readAll().catch((error: unknown) => error);
  for (let third = 0; third < 90; third += 1) {
    request.write('.');
    await turn();
    expect(request.destroyed).toBe(false);
    jest.advanceTimersByTime(MINUTE_MS / 3);
    await turn();
  }
  expect(await reading).toMatchObject({ code: 'invalid_request' });
});

it('a slow store does not count as silence of the sender', async () => {
  const chunks = upload[Symbol.asyncIterator]();
  request.write('hello');
  await chunks.next();
  jest.advanceTimersByTime(10 * MINUTE_MS);
  expect(request.destroyed).toBe(false);
  request.end();
  expect(await chunks.next()).toMatchObject({ done: true });
});

it('one byte too many ends the reading but not the connection, which carries the answer', async () => {
  request.write(Buffer.alloc(1_001));
  await expect(readAll()).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(request.destroyed).toBe(false);
});

describe('reading on after a body was refused', () => {
  it('ends with the body', async () => {
    const over = linger(request as unknown as Request);
    request.end(Buffer.alloc(100_000));
    await over;
    expect(request.readableEnded).toBe(true);
  });

  it('ends after a second', async () => {
    const over = linger(request as unknown as Request);
    jest.advanceTimersByTime(1_000);
    await over;
    expect(request.isPaused()).toBe(true);
  });

  it('ends after four mebibytes', async () => {
    const over = linger(request as unknown as Request);
    for (let sent = 0; sent < 5; sent += 1) request.write(Buffer.alloc(1024 * 1024));
    await over;
    expect(request.isPaused()).toBe(true);
  });

  it('does not wait when the body has been read', async () => {
    request.complete = true;
    await linger(request as unknown as Request);
    expect(request.listenerCount('data')).toBe(0);
  });
});
