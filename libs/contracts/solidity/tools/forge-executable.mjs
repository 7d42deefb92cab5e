import { createRequire } from 'node:module';

/** Path of forge's executable for this machine; throws when npm has installed none. */
export function forgeExecutable() {
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json'));
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return require.resolve(`@foundry-rs/forge-${process.platform}-${architecture}/bin/forge${suffix}`);
}
