// `npm run packages`: builds what is published of libs/prepared-action and libs/sdk into their `dist`: ES modules,
// CommonJS and types, with our own libraries inside, and of libs/cli the program. With `--program` it builds that alone, as
// `npm start` and `npm run demo` do (src/dev/build.cjs). With `--modules FOLDER` it writes the ES modules of the SDK alone,
// as a package in that folder, and with `--cli FOLDER` the program; each takes a second: the tests of the README's samples
// and of the program do that.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build as bundle, transform } from 'esbuild';
import { testingDocument } from './testing-document.mjs';

const LIBS = join(import.meta.dirname, '../..');
const TARGET = 'es2022';

/** What can be imported of each package, and the libraries of ours that it is made of. */
export const PACKAGES = {
  'prepared-action': { entries: ['index'], of: ['prepared-action', 'notation'] },
  sdk: { entries: ['index', 'node', 'testing'], of: ['sdk', 'prepared-action', 'notation'] },
};

/** Puts what the fake market reads of the interface's document in its place. */
const DOCUMENT_IN_SHORT = {
  name: 'document-in-short',
  setup({ onLoad }) {
    onLoad({ filter: /openapi\.json$/ }, () => ({ contents: testingDocument(), loader: 'json' }));
  },
};

/**
 * Writes the command-line program as one file with all that it needs, so that its start reads one file and its
 * installation downloads nothing else.
 */
export async function buildProgram(outDir) {
  await bundle({
    entryPoints: [join(LIBS, 'cli/src/tasktree.main.ts')],
    outfile: join(outDir, 'tasktree.js'),
    tsconfig: join(LIBS, 'cli/tsconfig.json'),
    bundle: true,
    // Lines stay: Node prints the one that a fault was thrown in.
    minifySyntax: true,
    minifyIdentifiers: true,
    // Names of errors are read by programs and people.
    keepNames: true,
    legalComments: 'none',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // commander is CommonJS, and asks for modules of Node by `require`.
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire}from'node:module';const require=createRequire(import.meta.url);",
    },
  });
  chmodSync(join(outDir, 'tasktree.js'), 0o755);
}

/** Writes the ES modules of one package. */
export async function buildModules(name, outDir) {
  const { entries, of } = PACKAGES[name];
  for (const lib of of) for (const file of sourcesOf(lib)) await writeModule(file, join(outDir, 'esm'));
  if (entries.includes('testing')) {
    writeFileSync(join(outDir, 'esm/sdk/src/testing/document/openapi.js'), `export default ${testingDocument()};\n`);
  }
  for (const key of entries) {
    writeFileSync(join(outDir, `${key}.js`), `export * from './esm/${name}/src/${key}.js';\n`);
  }
}

/** Builds one package into its `dist`. */
export async function buildPackage(name) {
  const folder = join(LIBS, name);
  const { entries } = PACKAGES[name];
  const outDir = join(folder, 'dist');
  rmSync(outDir, { recursive: true, force: true });
  await buildModules(name, outDir);
  const entry = Object.fromEntries(entries.map((key) => [key, join(folder, 'src', `${key}.ts`)]));
  // Only here, because the program is built without it, before a start that waits for it.
  const { build } = await import('tsup');
  await build({
    config: false,
    silent: true,
    entry,
    outDir,
    tsconfig: join(folder, 'tsconfig.json'),
    target: TARGET,
    format: 'cjs',
    dts: { entry, compilerOptions: { ignoreDeprecations: '6.0' } },
    splitting: false,
    // openapi-fetch is inside: where it is asked for by `require`, what it gives differs.
    noExternal: [/^#libs\//, 'openapi-fetch'],
    esbuildPlugins: [DOCUMENT_IN_SHORT],
    external: [/^openapi-typescript/, /^node:/],
  });
  // The types of both are the same text, and each needs its own ending (publint, attw).
  for (const types of readdirSync(outDir).filter((file) => file.endsWith('.d.cts'))) {
    const text = readFileSync(join(outDir, types), 'utf8').replace(/(['"]\.\/[^'"]+)\.cjs(['"])/g, '$1.js$2');
    writeFileSync(join(outDir, types.replace(/\.d\.cts$/, '.d.ts')), text);
  }
}

/**
 * One source as one ES module, so that a bundler leaves out those that are not used: in a single file the tables of the
 * checks would stay, because it cannot know that making them has no effect.
 */
async function writeModule(file, outDir) {
  const target = join(outDir, relative(LIBS, file)).replace(/\.ts$/, '.js');
  const { code } = await transform(readFileSync(file, 'utf8'), {
    loader: 'ts',
    target: TARGET,
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false, verbatimModuleSyntax: false } },
  });
  const own = code.replace(/(["'])#libs\/([a-z-]+)\1/g, (_, quote, lib) => {
    const path = relative(dirname(target), join(outDir, lib, 'src/index.js'));
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
  const inShort = own.replace(/(['"])(?:\.\.\/)+openapi\.json\1(?: with \{[^}]*\})?/, '"./openapi.js"');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, inShort);
}

function sourcesOf(lib) {
  const source = join(LIBS, lib, 'src');
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
}

if (process.argv[1] === import.meta.filename) {
  const [mode, folder] = process.argv.slice(2);
  if (mode === '--modules') {
    await buildModules('sdk', join(folder, 'dist'));
    copyFileSync(join(LIBS, 'sdk/package.json'), join(folder, 'package.json'));
  } else if (mode === '--cli') {
    await buildProgram(join(folder, 'dist'));
    copyFileSync(join(LIBS, 'cli/package.json'), join(folder, 'package.json'));
  } else {
    if (mode !== '--program') for (const name of Object.keys(PACKAGES)) await buildPackage(name);
    await buildProgram(join(LIBS, 'cli/dist'));
  }
}
