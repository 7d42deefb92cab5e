import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, type INestApplication, Module, Post, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory, Reflector } from '@nestjs/core';
import { createHttpAdapter, useUriVersions } from '../../../src/app.setup.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { ErrorFilter } from '../../../src/platform/http/server/error.filter.js';
import { InputGuard } from '../../../src/platform/http/input/input.guard.js';
import { declaredNames } from '../../../src/platform/http/input/input-shape.js';
import { OperationInput } from '../../../src/platform/http/input/operation-input.js';
import { requestContext } from '../../../src/platform/http/request-context.middleware.js';
import { previewApp, routeHandlers } from '../../architecture/preview-app.js';
import { leastMs, longestStall } from '../../support/event-loop-stall.js';
import { hostileBodies } from '../../../src/dev/bench/hostile/hostile-bodies.js';

/** Milliseconds that reading a body may block all other requests, beyond a bare `JSON.parse` of it. */
const MOST = 20;
const RUNS = 10;
/** Members of the objects that bodies contain. */
const INNER: Record<string, readonly string[]> = { budget: ['amount', 'currency'], price: ['amount', 'currency'] };

interface Body {
  operation: string;
  shape: Type<object> | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let bodies: Body[];
let app: INestApplication;
let port: number;

beforeAll(async () => {
  bodies = await bodiesOfOperations();
  app = await NestFactory.create(
    moduleOf(bodies),
    createHttpAdapter(Object.assign(new Environment(), { baseUrl: 'http://127.0.0.1' })),
    {
      bodyParser: false,
      logger: false,
    },
  );
  useUriVersions(app);
  app.use(requestContext(() => undefined));
  await app.listen(0, '127.0.0.1');
  ({ port } = app.getHttpServer().address() as AddressInfo);
  // Warms up, so that the compilation at first use does not count as a stall.
  for (const { operation } of bodies) for (let n = 0; n < 5; n++) await post(operation, '{"a":[{},{"b":"x"}]}');
});

afterAll(async () => {
  agent.destroy();
  await app.close();
});

/** One operation for each class of body, and one for all operations that declare no body. */
async function bodiesOfOperations(): Promise<Body[]> {
  const preview = await previewApp();
  const reflector = new Reflector();
  const found = new Map<Type<object> | undefined, Body>();
  for (const { method, handler } of routeHandlers(preview)) {
    const input = reflector.get(OperationInput, handler);
    if (input?.readsBody) found.set(input.body, found.get(input.body) ?? { operation: method, shape: input.body });
  }
  await preview.close();
  return [...found.values()];
}

/** A module with the operations' own inputs behind the real listener, guard and error filter. */
function moduleOf(all: readonly Body[]): Type<object> {
  const controllers = all.map(({ operation, shape }) => {
    @Controller({ path: operation, version: '1' })
    class BodyController {
      @Post()
      @OperationInput(shape ? { readsBody: true, body: shape } : { readsBody: true })
      take() {
        return {};
      }
    }
    return BodyController;
  });
  @Module({
    controllers,
    providers: [
      { provide: APP_GUARD, useClass: InputGuard },
      { provide: APP_FILTER, useClass: ErrorFilter },
    ],
  })
  class BodiesModule {}
  return BodiesModule;
}

function post(operation: string, text: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    const sent = request({ agent, port, path: `/v1/${operation}`, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/**
 * Milliseconds that a body stalls beyond its bare parsing: the least of several runs, because one run may meet a
 * garbage collection. When that is too much, an empty body is sent in turns with it, and what the empty body usually
 * stalls is subtracted, because it comes from the machine.
 */
async function stallOf(operation: string, text: string): Promise<number> {
  const parsing = leastMs(3, () => {
    try {
      JSON.parse(text);
    } catch {
      // A refused body costs time as well.
    }
  });
  const stalls: number[] = [];
  const empty: number[] = [];
  const beyond = () => Math.min(...stalls) - parsing - (empty.toSorted((a, b) => a - b)[empty.length >> 1] ?? 0);
  do {
    stalls.push(await longestStall(() => post(operation, text)));
    if (beyond() > MOST) empty.push(await longestStall(() => post(operation, '{}')));
  } while (stalls.length < RUNS && beyond() > MOST);
  return beyond();
}

it('the watch sees a stall', async () => {
  const stall = await longestStall(async () => {
    await new Promise(setImmediate);
    const before = process.cpuUsage();
    while (process.cpuUsage(before).user < 30_000);
  });
  expect(stall).toBeGreaterThanOrEqual(30);
});

it('no body of 64 KiB holds the others up for 20 ms longer than JSON.parse does', async () => {
  const slow: string[] = [];
  expect(bodies.length).toBeGreaterThan(10);
  for (const { operation, shape } of bodies) {
    const names = shape ? [...declaredNames(shape)] : ['a'];
    const paths = names.flatMap((name) => [name, ...(INNER[name] ?? []).map((inner) => `${name}.${inner}`)]);
    for (const { what, text } of hostileBodies(paths)) {
      const stall = await stallOf(operation, text);
      if (stall > MOST) slow.push(`${operation}: ${what}: ${stall.toFixed(1)} ms`);
    }
  }
  expect(slow).toEqual([]);
}, 600_000);
