import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signable, SIGNABLE_NAMES } from '../../../../test/support/signable-actions.js';
import { MESSAGE_DISPLAYS } from './clear-signing.js';
import { clearSigningDescriptors } from './descriptors.js';
import { pinnedMembers, pinnedTypes } from '../checks/eip712-schema-check.js';
import { shownFields } from './shown-fields.js';

const FOLDER = join(__dirname, '../../descriptors');
const descriptors: [string, any][] = Object.entries(clearSigningDescriptors());
const NAMES = Object.keys(MESSAGE_DISPLAYS) as (keyof typeof MESSAGE_DISPLAYS)[];
/** What ERC-7730 v2 has: formats that we use, with the parameters that each takes. */
const PARAMETERS: Record<string, string[]> = {
  tokenAmount: ['tokenPath'],
  addressName: ['types', 'sources'],
  date: ['encoding'],
  duration: [],
  enum: ['$ref'],
  raw: [],
};

/** Paths of all atomic members of a primary type. */
function leaves(primaryType: string): string[] {
  const types: any = pinnedTypes(primaryType, pinnedMembers(primaryType)!);
  const of = (name: string, prefix: string): string[] =>
    types[name].flatMap((member: any) =>
      member.type in types ? of(member.type, `${prefix}${member.name}.`) : [prefix + member.name],
    );
  return of(primaryType, '');
}

test.each(descriptors)('%s is as `npm run descriptors` writes it', (name, descriptor) => {
  expect(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))).toEqual(descriptor);
});

test.each(descriptors)('%s has the members of an ERC-7730 v2 file for typed data', (_name, descriptor) => {
  expect(Object.keys(descriptor)).toEqual(['$schema', 'context', 'metadata', 'display']);
  expect(descriptor.$schema).toMatch(/erc7730-v2\.schema\.json$/);
  expect(Object.keys(descriptor.context.eip712)).toEqual(['domain']);
  for (const [key, format] of Object.entries<any>(descriptor.display.formats)) {
    expect(key).toMatch(/^[A-Za-z]+\((?:[A-Za-z0-9]+ [A-Za-z]+,?)+\)(?:[A-Za-z]+\(.*\))?$/);
    expect(Object.keys(format)).toEqual(['intent', 'interpolatedIntent', 'fields']);
    for (const { path, label, format: name, params = {}, visible = 'always', ...others } of format.fields) {
      expect(others).toEqual({});
      expect(label.length).toBeGreaterThan(0);
      expect(path).toMatch(/^[A-Za-z.]+$/);
      expect(Object.keys(params)).toEqual(PARAMETERS[name]);
      expect(['always', 'optional']).toContain(visible);
    }
  }
});

test.each(NAMES)('%s shows every member of its message once, and says in its intent only what it has', (name) => {
  const { fields, intent, interpolatedIntent } = MESSAGE_DISPLAYS[name];
  const paths = fields.map(({ path }) => path);
  expect(paths.toSorted()).toEqual(leaves(name).toSorted());
  expect(new Set(fields.map(({ label }) => label)).size).toBe(fields.length);
  for (const [, path] of interpolatedIntent.matchAll(/\{([^}]+)\}/g)) expect(paths).toContain(path);
  expect(intent.length).toBeLessThanOrEqual(30);
});

test.each(SIGNABLE_NAMES)('the page shows %s with the labels of the descriptor', (name) => {
  const { payload } = signable(name).action;
  const shown = shownFields(payload);
  expect(shown.map(({ name: path }) => path).toSorted()).toEqual(leaves(String(payload['primaryType'])).toSorted());
  expect(shown.every(({ value, raw }) => value !== '' && raw !== '')).toBe(true);
});

test('values are shown for people', () => {
  const shown = shownFields(signable('select_agent').action.payload);
  expect(shown.slice(0, 5).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Price: 250.00 USDC',
    'Worker: 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    'Floor: 125.00 USDC',
    'Time to deliver: 5 days',
    'Time to accept: 3 days',
  ]);
  const byMode = (name: 'fund_task' | 'subcontract') => {
    const { payload } = signable(name).action;
    return shownFields(payload).find(({ name: path }) => path === 'fundingMode');
  };
  expect(byMode('fund_task')).toMatchObject({ label: 'Paid by', value: 'Allowance of the wallet', raw: '0' });
  expect(byMode('subcontract')).toMatchObject({ value: 'Pay of the job above', raw: '4' });
  const nodeOf = (name: 'deliver' | 'subcontract') =>
    shownFields(signable(name).action.payload).find(({ label }) => label === 'Node')?.value;
  expect([nodeOf('deliver'), nodeOf('subcontract')]).toEqual(['1', '16777218 (1-2)']);
});

test.each([undefined, null, {}, { primaryType: '__proto__', message: {} }, { primaryType: 'Permit', message: 1 }])(
  'of %j nothing is shown',
  (payload) => {
    expect(shownFields(payload)).toEqual([]);
  },
);
