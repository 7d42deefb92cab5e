import { availableParallelism } from 'node:os';
import { temporaryFolder } from './test/support/memory-folder.mjs';

// Whatever a spec, its workers and their processes write and throw away goes there.
process.env.TMPDIR = temporaryFolder();

// What a spec reads of its own global object is slow. These are given to each module, because nothing replaces them:
// `Date` and the timers are not among them, which fake timers replace.
const LASTING_GLOBALS =
  'Array BigInt Boolean Error Function JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol ' +
  'TypeError Uint8Array WeakMap';

const shared = {
  testEnvironment: 'node',
  runtime: '<rootDir>/test/support/kept-modules-runtime.cjs',
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/esm-to-cjs.cjs' },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '^#libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^#libs/([^/]+)/([^/]+)$': '<rootDir>/libs/$1/src/$2.ts',
  },
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/libs/[^/]+/dist',
    '<rootDir>/.tasktree',
    '<rootDir>/libs/contracts/solidity',
  ],
  clearMocks: true,
  sandboxInjectedGlobals: LASTING_GLOBALS.split(' '),
};

/** @type {import('jest').Config} */
export default {
  testTimeout: 180_000,
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // One for each processor: with more, connections and pages take longer than the service and its pages wait for them.
  maxWorkers: Math.max(2, availableParallelism()),
  // What a spec leaves behind in its process slows the ones after it down, until the collector is all that runs.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,libs}/**/*.spec.ts', '<rootDir>/test/architecture/*.spec.ts'],
    },
    {
      ...shared,
      displayName: 'integration',
      globalSetup: '<rootDir>/test/support/postgres.setup.mjs',
      globalTeardown: '<rootDir>/test/support/teardown.mjs',
      testMatch: ['<rootDir>/test/integration/**/*.int-spec.ts'],
    },
    {
      ...shared,
      displayName: 'e2e',
      globalSetup: '<rootDir>/test/support/market.setup.mjs',
      globalTeardown: '<rootDir>/test/support/teardown.mjs',
      testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'],
    },
  ],
};
