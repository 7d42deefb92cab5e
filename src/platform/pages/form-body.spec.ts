import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { ApiError } from '../http/api-error.js';
import { fieldOf, readForm } from './form-body.js';

const BASE_URL = 'https://market.example/tasks';
const ORIGIN = 'https://market.example';
const FORM = 'application/x-www-form-urlencoded';

let server: Server;

beforeAll(async () => {
  const app = express();
  app.post('/', async (request, response) => {
    try {
      const form = await readForm(request, response, BASE_URL);
      response.json({ entries: [...form] });
    } catch (error) {
      response.status(400).json({ code: error instanceof ApiError ? error.code : String(error) });
    }
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});

afterAll(() => {
  server.close();
});

/** What is read of a POST; null leaves a header out. */
function post(body: string | Buffer, headers: Record<string, string | null> = {}): Promise<any> {
  const own = Object.entries({ Origin: ORIGIN, 'Content-Type': FORM, ...headers }).filter(
    ([, value]) => value !== null,
  );
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const call = send(
      { host: '127.0.0.1', port, method: 'POST', headers: Object.fromEntries(own) as any },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

describe('a form', () => {
  it('is read with names that repeat', async () => {
    expect(await post('scope=read&scope=buyer&note=a+b%26c')).toEqual({
      entries: [
        ['scope', 'read'],
        ['scope', 'buyer'],
        ['note', 'a b&c'],
      ],
    });
  });

  it('may be empty', async () => {
    expect(await post('')).toEqual({ entries: [] });
  });

  it.each([
    ['no origin', null],
    ['an opaque origin', 'null'],
    ['another site', 'https://evil.example'],
    ['the same host without TLS', 'http://market.example'],
    ['another port', 'https://market.example:8443'],
    ['a host that begins like ours', 'https://market.example.evil.example'],
    ['the base URL, which is no origin', BASE_URL],
  ])('is refused from %s', async (_name, origin) => {
    expect(await post('a=b', { Origin: origin })).toEqual({ code: 'invalid_request' });
  });

  it.each([
    ['application/json'],
    ['multipart/form-data; boundary=x'],
    ['text/plain'],
    [`${FORM}; charset=utf-16`],
    [null],
  ])('is refused as %s', async (type) => {
    expect(await post('a=b', { 'Content-Type': type })).toEqual({ code: 'unsupported_media_type' });
  });

  it('takes the type with its character set', async () => {
    expect(await post('a=b', { 'Content-Type': `${FORM};charset=UTF-8` })).toEqual({ entries: [['a', 'b']] });
  });

  it('holds the longest signature of a wallet that is not deployed yet, and not much more', async () => {
    expect(await post(`signature=0x${'ab'.repeat(8192)}`)).toHaveProperty('entries');
    expect(await post(`signature=0x${'ab'.repeat(10_240)}`)).toEqual({ code: 'payload_too_large' });
  });

  it('is refused compressed', async () => {
    expect(await post('a=b', { 'Content-Encoding': 'gzip' })).toEqual({ code: 'unsupported_media_type' });
  });
});

describe('a field', () => {
  it('has the one value that was sent, without blanks around it', () => {
    expect(fieldOf(new URLSearchParams('a=+x+'), 'a')).toBe('x');
  });

  it('is empty when it is missing, and when it comes twice: which was meant is not guessed', () => {
    expect(fieldOf(new URLSearchParams('b=x'), 'a')).toBe('');
    expect(fieldOf(new URLSearchParams('a=x&a=y'), 'a')).toBe('');
  });
});
