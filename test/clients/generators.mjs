import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.mjs';
import { JAVA_VERSION, pinned } from './installs.mjs';

const PROGRAMS = join(import.meta.dirname, 'programs');
const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'openapi.json');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Leaves out the documentation and tests of the generated code, which nobody reads here. */
const CODE_ALONE = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false';

/**
 * The generators. Each says what must be installed, how to generate a client, how to compile the client with its
 * program, and how to start the program with the file of facts. A step that fails rejects with the tool's output.
 */
export const GENERATORS = [
  {
    name: 'openapi-typescript',
    version: `${pinned('openapi-typescript')}, openapi-fetch ${pinned('openapi-fetch')}`,
    needs: ['node'],
    // Declaration files are not type-checked on their own, so the output is named as a source file.
    generate: ({ node, folder }) =>
      bin(node, 'openapi-typescript/bin/cli.js', [DOCUMENT, '-o', join(folder, 'generated/schema.ts')], folder),
    ...typescript('openapi-typescript.ts'),
  },
  {
    name: 'hey-api',
    version: pinned('@hey-api/openapi-ts'),
    needs: ['node'],
    generate: ({ node, folder }) =>
      bin(
        node,
        '@hey-api/openapi-ts/bin/run.js',
        ['-i', DOCUMENT, '-o', join(folder, 'generated'), '--silent'],
        folder,
      ),
    ...typescript('hey-api.ts'),
  },
  {
    name: 'orval',
    version: pinned('orval'),
    needs: ['node'],
    generate: ({ node, folder }) => bin(node, 'orval/dist/bin/orval.js', ['--config', orvalConfig(folder)], folder),
    ...typescript('orval.ts', ['orval-fetch.ts']),
  },
  {
    name: 'typescript-fetch',
    version: `openapi-generator ${JAVA_VERSION}`,
    needs: ['java'],
    generate: ({ java, folder }) => java(['-g', 'typescript-fetch', ...javaOptions(folder)]),
    ...typescript('typescript-fetch.ts'),
  },
  {
    name: 'python',
    version: `openapi-generator ${JAVA_VERSION}`,
    needs: ['java', 'python'],
    generate: ({ java, folder }) => java(['-g', 'python', '--package-name', 'tasktree', ...javaOptions(folder)]),
    compile: ({ folder }) => run('python3', ['-m', 'compileall', '-q', join(folder, 'generated/tasktree')]),
    call: ({ folder, python, facts }) =>
      run('python3', ['-s', '-W', 'error::SyntaxWarning', join(PROGRAMS, 'python.py'), facts], {
        env: { PYTHONPATH: [join(folder, 'generated'), python].join(':') },
      }),
  },
];

function bin(node, file, args, folder) {
  return run(process.execPath, [join(node, file), ...args], { cwd: folder, env: { ORVAL_TELEMETRY_DISABLED: '1' } });
}

function javaOptions(folder) {
  return ['-i', DOCUMENT, '-o', join(folder, 'generated'), '--global-property', CODE_ALONE];
}

/** Writes orval's settings, which it reads only from a file. @returns the path of the file. */
function orvalConfig(folder) {
  const output = {
    target: join(folder, 'generated/market.ts'),
    client: 'fetch',
    mode: 'single',
    headers: true,
    override: { mutator: { path: join(folder, 'orval-fetch.ts'), name: 'call' } },
  };
  const config = join(folder, 'orval.config.cjs');
  writeFileSync(config, `module.exports = ${JSON.stringify({ market: { input: { target: DOCUMENT }, output } })};\n`);
  return config;
}

/** The steps that compile and start a TypeScript program. The generated code is compiled with it, equally strictly. */
function typescript(program, besides = []) {
  return {
    prepare({ folder }) {
      mkdirSync(join(folder, 'generated'), { recursive: true });
      copyFileSync(join(PROGRAMS, program), join(folder, 'program.ts'));
      for (const name of ['journey.ts', ...besides]) copyFileSync(join(PROGRAMS, name), join(folder, name));
      writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
    },
    compile: ({ folder }) => run(process.execPath, [TSC, '-p', folder]),
    call: ({ folder, facts }) => run(process.execPath, [join(folder, 'built/program.js'), facts]),
  };
}

/**
 * Compiler settings of the programs. Generated code imports without file extensions, so modules are resolved as a
 * bundler does.
 */
const COMPILER = {
  compilerOptions: {
    strict: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'commonjs',
    moduleResolution: 'bundler',
    esModuleInterop: true,
    isolatedModules: true,
    // Declarations of third-party packages are not checked; generated code is, because it lies in source files.
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'built',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  },
  include: ['program.ts', 'generated'],
};
