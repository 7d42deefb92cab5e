import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
