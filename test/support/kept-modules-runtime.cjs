// Every spec file loads the same three thousand modules anew, so what a worker has read and compiled it keeps for its
// next files: the sources, and V8's code of them. Each spec still runs them in a context of its own, which must be free at
// its end (spec-leftovers.cjs).
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const { endLeftovers, watchTimers } = require('./spec-leftovers.cjs');

/** Sources by file; Jest clears the ones of a spec at its end. */
class KeptSources extends Map {
  clear() {}
}

const sources = new KeptSources();
const codes = new Map();
const compile = vm.compileFunction;

/** As `vm.compileFunction`, with the code that V8 made of the same text before. */
vm.compileFunction = (text, parameters, options = {}) => {
  const { filename } = options;
  const kept = codes.get(filename);
  if (kept?.text === text) return compile(text, parameters, { ...options, cachedData: kept.data });
  const compiled = compile(text, parameters, { ...options, produceCachedData: true });
  if (filename !== undefined && compiled.cachedData !== undefined)
    // A copy, because V8 makes the original in the spec's context, which would be held with it.
    codes.set(filename, { text, data: new Uint8Array(compiled.cachedData) });
  return compiled;
};

module.exports = class KeptModulesRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, read, ...others) {
    for (const [file, text] of read) sources.set(file, text);
    super(config, environment, resolver, transformer, sources, ...others);
    watchTimers(environment.global);
  }

  teardown() {
    super.teardown();
    endLeftovers();
  }
};
