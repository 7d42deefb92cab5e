// Jest on Node 20 cannot `require` ES modules, and @nestjs/throttler (CommonJS) requires @nestjs/common (ESM). So specs
// run everything as CommonJS: our TypeScript, and any dependency that ships ES modules.
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { createTransformer } = require('@swc/jest');

const swc = createTransformer({
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
});
const ownText = readFileSync(__filename);
const usesEsm = /^\s*(?:import\b(?!\()|export\b)|\bimport\.meta\b/m;

module.exports = {
  ...swc,
  getCacheKey(...subject) {
    return createHash('sha256')
      .update(swc.getCacheKey(...subject))
      .update(ownText)
      .digest('hex');
  },
  process(source, file, options) {
    if (file.includes('/node_modules/') && !usesEsm.test(source)) return { code: source };
    const result = swc.process(withSingleFunctions(source), file, options);
    return file.includes('/node_modules/')
      ? result
      : { ...result, code: withFileNames(result.code, path.dirname(file)) };
  },
};

/** Of `es-toolkit`, an import loads the functions that it names then: a third of the 428 files, in nearly every spec. */
function withSingleFunctions(source) {
  return source.replace(/^import \{ ([\w, ]+) \} from 'es-toolkit\/compat';$/gm, (_, names) =>
    names
      .split(', ')
      .map((name) => `import ${name} from 'es-toolkit/compat/${name}';`)
      .join(' '),
  );
}

/** Our imports name the compiled file; here they name the source, so that nothing searches for it at each `require`. */
function withFileNames(code, folder) {
  return code.replace(/\brequire\("(\.{1,2}\/[^"]+)\.js"\)/g, (asWritten, name) => {
    const ending = ['.ts', '.tsx'].find((candidate) => existsSync(path.join(folder, name + candidate)));
    return ending === undefined ? asWritten : `require("${name}${ending}")`;
  });
}
