import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode, MarketError } from './http/market-error.js';
import type { components } from './generated/interface.js';

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));

it('are what openapi.json says: `npm run sdk:types` makes them', () => {
  const { status } = spawnSync(process.execPath, ['libs/sdk/tools/write-types.mjs', '--check'], { stdio: 'inherit' });
  expect(status).toBe(0);
});

it('know the values of every open enumeration, and leave it open', () => {
  const open = JSON.stringify(document.components.schemas).match(/Open enumeration/g) ?? [];
  const known = JSON.stringify(document.components.schemas).match(/"x-known-values"/g) ?? [];
  // Of `Error.code` the table has the values; the types of events are listed without the words.
  expect(known.length).toBe(open.length);
  expect(known.length).toBeGreaterThan(30);
  const told: components['schemas']['Task']['status'] = 'funded';
  const tomorrow: components['schemas']['Task']['status'] = 'paused';
  // @ts-expect-error A request has no values of tomorrow.
  const asked: components['schemas']['CreateTaskBody']['selection_mode'] = 'tomorrow';
  expect([told, tomorrow, asked]).toHaveLength(3);
});

it('tell errors apart by their code', () => {
  const code: ErrorCode = 'node_not_funded';
  const isFunded = (error: MarketError): boolean => error.code === code;
  expect(isFunded({ code: 'node_not_funded' } as MarketError)).toBe(true);
});

it('every operation of the document has a call', () => {
  const files = readdirSync('libs/sdk/src', { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => /(?<!\.spec)\.ts$/.test(name) && !parentPath.endsWith('generated'))
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8'));
  // The name of a path may stand before its call, and the stream is opened by hand.
  const called = files.join('\n').replace(/const path = ('[^']+');[^]*?api\.(\w+)\(path/g, '$2($1');
  const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
  );
  expect(operations.length).toBeGreaterThan(40);
  const missing = operations.filter(({ path, method }) => {
    const call = new RegExp(`${method}\\(\\s*'${path.replace(/[{}]/g, '\\$&')}'`);
    return path !== '/v1/events/stream' && !call.test(called);
  });
  expect(missing).toEqual([]);
});
