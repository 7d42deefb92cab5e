import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

/** The project's lock file, and those of what only `npm run test:clients` and `npm run test:mcp-conformance` install. */
const LOCK_FILES = ['package-lock.json', 'test/clients/package-lock.json', 'test/mcp-conformance/package-lock.json'];

function lockedIn(file: string): [string, LockedPackage][] {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(__dirname, '../..', file), 'utf8'),
  );
  // The packages of this repository itself have no bytes to pin.
  const isOwn = (path: string): boolean => path === '' || path.startsWith('libs/');
  return Object.entries(packages).filter(([path, { link }]) => !isOwn(path) && link !== true);
}

describe.each(LOCK_FILES)('%s', (file) => {
  const installed = lockedIn(file);

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
