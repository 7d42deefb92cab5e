// For child processes of specs: `node run-typescript.cjs FILE` runs TypeScript as CommonJS, as Jest does.
const { readFileSync, existsSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const root = path.resolve(__dirname, '../..');
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function (request, parent, ...rest) {
  const lib = /^#libs\/([^/]+)$/.exec(request)?.[1];
  if (lib) return path.join(root, 'libs', lib, 'src/index.ts');
  if (/^\.{1,2}\/.*\.js$/.test(request) && parent?.filename) {
    const source = path.join(path.dirname(parent.filename), request.replace(/\.js$/, '.ts'));
    if (existsSync(source)) return source;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  module._compile(code, filename);
};

process.argv.splice(1, 1);
require(path.resolve(process.argv[1]));
