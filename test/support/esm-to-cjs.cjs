// Jest on Node 20 cannot `require` ES modules, and @nestjs/throttler (CommonJS) requires @nestjs/common (ESM). So specs
// run everything as CommonJS: our TypeScript, and any dependency that ships ES modules.
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
const usesEsm = /^\s*(?:import\b(?!\()|export\b)|\bimport\.meta\b/m;

module.exports = {
  ...swc,
  process(source, file, options) {
    if (file.includes('/node_modules/') && !usesEsm.test(source)) return { code: source };
    return swc.process(source, file, options);
  },
};
