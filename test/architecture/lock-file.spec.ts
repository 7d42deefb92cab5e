import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(__dirname, '../../package-lock.json'), 'utf8'),
);
const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && link !== true);

describe('package-lock.json', () => {
  it('pins the bytes of every package, also of those for other machines', () => {
    expect(installed.length).toBeGreaterThan(0);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('names no address, so that each machine installs from its own registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
