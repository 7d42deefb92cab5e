import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment } from '../../src/platform/config/environment.js';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { ROOT } from './source-files.js';

const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
const shown = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => ({ name, value }));

it('.env.example lists every variable once, and no other', () => {
  expect(new Set(shown.map(({ name }) => name))).toEqual(new Set(VARIABLES.map(({ name }) => name)));
  expect(shown).toHaveLength(VARIABLES.length);
});

it('every member of Environment has its variable', () => {
  const environment = new Environment();
  const withDefaults = Object.keys(environment);
  expect(withDefaults.filter((member) => !VARIABLES.some((variable) => variable.member === member))).toEqual([]);
});

it('every variable or group of variables is explained', () => {
  for (const { name } of shown) {
    const before = example.slice(0, example.search(new RegExp(`^#?${name}=`, 'm')));
    const paragraph = before.split('\n\n').at(-1) ?? '';
    expect([name, /^# \S/m.test(paragraph)]).toEqual([name, true]);
  }
});

it('the defaults shown are those of the program', () => {
  const defaults: object = Object.assign(new Environment(), { chainConfirmations: 12 });
  for (const { name, value } of shown.filter((entry) => example.includes(`#${entry.name}=`))) {
    const member = VARIABLES.find((variable) => variable.name === name)?.member ?? '';
    const expected: string | number | boolean | string[] | null = Reflect.get(defaults, member);
    const text = expected === null ? '' : Array.isArray(expected) ? expected.join(',') : String(expected);
    expect([name, value]).toEqual([name, text]);
  }
});

it('nothing secret has a default', () => {
  expect(new Environment()).not.toHaveProperty('appSecret');
  expect(example).toMatch(/^APP_SECRET=$/m);
});
