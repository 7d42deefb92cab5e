import { LRUCache } from 'lru-cache';

const MOST = 20_000;

/**
 * What this process knows of the keys that were used last. Each counts as one of `maxSize`: with `max` the cache takes the
 * memory of all entries when it is made, and a service has some thirty.
 * @param most how many keys.
 * @param ttlMs milliseconds after which a key is forgotten; 0: never.
 */
export function knownKeys<Value extends NonNullable<unknown>>(most = MOST, ttlMs = 0): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl: ttlMs });
}
