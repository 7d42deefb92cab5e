// Every spec file loads the same three thousand modules anew, so what a worker has read and compiled it keeps for its
// next files: the sources, and V8's code of them. Each spec still runs them in a context of its own, which must be free at
// its end (spec-leftovers.cjs).
const { setFlagsFromString } = require('node:v8');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const { endLeftovers, watchTimers } = require('./spec-leftovers.cjs');

// A function must run eight times as long as elsewhere before V8 optimises it: a spec ends soon, and its optimised code
// with it.
setFlagsFromString('--interrupt-budget=1000000');

/** Sources by file; Jest clears the ones of a spec at its end. */
class KeptSources extends Map {
  clear() {}
}

const sources = new KeptSources();
const codes = new Map();
/** What the running spec has compiled and no spec before it. */
const compiled = [];

/** As `vm.compileFunction`, with the code that V8 made of the same text for an earlier spec. */
vm.compileFunction = (text, parameters, { filename, parsingContext, ...options } = {}) => {
  const kept = codes.get(filename);
  const cachedData = kept?.text === text ? kept.code : undefined;
  const head = `(function (${parameters.join(',')}) {`;
  const place = { filename, columnOffset: -head.length };
  const script = new vm.Script(`${head}${text}\n})`, { ...options, ...place, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) compiled.push({ filename, text, script });
  return parsingContext === undefined ? script.runInThisContext() : script.runInContext(parsingContext);
};

/** At the end of a spec, so that the functions that it has called are in the code: V8 compiles each at its first call. */
function keepCode() {
  for (const { filename, text, script } of compiled.splice(0))
    codes.set(filename, { text, code: script.createCachedData() });
}

module.exports = class KeptModulesRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, read, ...others) {
    for (const [file, text] of read) sources.set(file, text);
    super(config, environment, resolver, transformer, sources, ...others);
    watchTimers(environment.global);
  }

  teardown() {
    super.teardown();
    endLeftovers();
    keepCode();
  }
};
