import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const SOURCES = join(ROOT, 'libs/contracts/solidity/src');

/** What others compile into contracts of their own, with a compiler of their choice. */
const FOR_OTHERS = /^(interfaces\/.*|Types\.sol)$/;

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.sol'))
  .map((name) => ({ name, pragma: /^pragma solidity (.*);$/m.exec(readFileSync(join(SOURCES, name), 'utf8'))?.[1] }));

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};

test('contracts can only be compiled with the compiler that the tests use', () => {
  const contracts = files.filter(({ name }) => !FOR_OTHERS.test(name));
  expect(contracts.length).toBeGreaterThan(5);
  for (const contract of contracts) expect(contract).toEqual({ ...contract, pragma: devDependencies['solc'] });
});

test('interfaces can be compiled with any later compiler of the same kind', () => {
  const interfaces = files.filter(({ name }) => FOR_OTHERS.test(name));
  expect(interfaces.length).toBeGreaterThan(2);
  for (const each of interfaces) expect(each.pragma).toMatch(/^\^0\.8\.\d+$/);
});
