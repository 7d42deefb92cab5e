#!/usr/bin/env node
// Makes `dist/service` of the compiled service, the operators' commands, the local market and the packages that they use: a
// few files instead of four thousand, which Node finds, reads and links one by one. Nothing but the files changes:
// `node dist/src/main.js` runs the same service file by file.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const COMPILED = join(ROOT, 'dist/src');

/** The commands of operators that package.json runs. */
const COMMANDS = [
  'accounts',
  'agents',
  'audit',
  'buyers',
  'clients',
  'keys',
  'migrate',
  'reconcile',
  'secrets',
  'tasks',
  'trees',
  'webhooks',
];

/** The entry files; the program of a thread lies where the file that starts the thread looks for it, beside itself. */
const ENTRIES = {
  main: 'main.js',
  'local-market': 'dev/local-market.main.js',
  'agent-index.worker': 'modules/matching/memory-search/agent-index.worker.js',
  'search-helper.worker': 'modules/matching/memory-search/search-helper.worker.js',
  'batch/trust-batch.worker': 'modules/reputation/runs/batch/trust-batch.worker.js',
  ...Object.fromEntries(COMMANDS.map((name) => [`tools/${name}`, `tools/${name}/${name}.js`])),
};

/**
 * Nest asks for these packages by a function of Node's, which finds them beside the bundle: a second copy, which does not
 * know what the one in the bundle keeps. Without the function, it is the bundler that answers.
 */
const packagesAskedFor = {
  name: 'packages-asked-for',
  transform: {
    filter: { id: /@nestjs\/(?:mapped-types|typeorm)\/.*\.js$/ },
    handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

const bundle = await rolldown({
  cwd: ROOT,
  input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(COMPILED, file)])),
  platform: 'node',
  // As Node finds the file of a package, which names others for bundlers.
  resolve: { mainFields: ['main'] },
  plugins: [packagesAskedFor],
  // Decorators and packages do what they do when they are loaded; nothing is left out.
  treeshake: false,
  onLog(level, log, print) {
    // Packages, of which some use `eval`, or ask for what is not installed (drivers of other databases): that stays.
    if (level !== 'warn' || !log.id?.includes('node_modules')) print(level, log);
  },
});
await bundle.write({
  dir: join(ROOT, 'dist/service'),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // Schemas and tables are called as their classes are.
  keepNames: true,
  // V8 keeps the text of what it runs in memory. Line breaks stay, because a stack trace names them, and so do licences.
  comments: { legal: true, annotation: false, jsdoc: false },
});
await bundle.close();
