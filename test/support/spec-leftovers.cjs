// A service is made to live as long as its process, and a worker starts one for each spec. What such a service never ends
// keeps everything of its spec in memory, and takes time of every later one, so it is ended with the spec.
const { AsyncLocalStorage } = require('node:async_hooks');
const { PerformanceObserver } = require('node:perf_hooks');

/** Storages in use: at every promise Node passes on the value of each. */
const storages = new Set();
/** What Jest says of the running test or hook: sockets and histograms hold it, and some of those are never closed. */
const running = new Set();
/** The service's counters of collections of garbage. */
const observers = new Set();
/** The timers of the spec's own context; some of the fired ones are among them. */
const timers = new Set();
/** So many timers may have been made before the fired ones are looked for. */
const MANY_TIMERS = 1_000;

/** Calls `note` with the object and the arguments of each call of the method; what it returns are the arguments then. */
function watch(type, method, note) {
  const original = type.prototype[method];
  type.prototype[method] = function watched(...given) {
    return original.apply(this, note(this, given) ?? given);
  };
}

watch(AsyncLocalStorage, '_enable', (storage) => void storages.add(storage));
watch(AsyncLocalStorage, 'run', (_storage, [store, ...work]) => {
  if (!store?.test && !store?.hook) return undefined;
  const own = { ...store };
  running.add(own);
  return [own, ...work];
});
watch(PerformanceObserver, 'observe', (observer) => void observers.add(observer));

/** Must be called with the global object of each spec. */
function watchTimers(global) {
  for (const name of ['setTimeout', 'setInterval']) {
    const set = global[name];
    global[name] = (...settings) => {
      const timer = set(...settings);
      timers.add(timer);
      if (timers.size % MANY_TIMERS === 0) for (const one of timers) if (one._destroyed) timers.delete(one);
      return timer;
    };
    // Has what `util.promisify` asks for.
    Object.setPrototypeOf(global[name], set);
  }
}

/** Ends what the spec has left running. */
function endLeftovers() {
  for (const storage of storages) storage.disable();
  for (const store of running) for (const name of Object.keys(store)) delete store[name];
  for (const observer of observers) observer.disconnect();
  for (const timer of timers) clearTimeout(timer);
  for (const all of [storages, running, observers, timers]) all.clear();
}

module.exports = { watchTimers, endLeftovers };
