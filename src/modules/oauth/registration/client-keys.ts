import { createPublicKey } from 'node:crypto';

/** The public keys of an application, for client authentication (RFC 7517). */
export interface ClientKeySet {
  readonly keys: readonly Record<string, unknown>[];
}

const KEY_TYPES: ReadonlySet<unknown> = new Set(['EC', 'OKP', 'RSA']);
/** Members that only private and symmetric keys have. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
const MAX_KEYS = 10;

/** Reads a key set of 1 to 10 public keys; null for anything else, including a set with a private key. */
export function readClientKeys(value: unknown): ClientKeySet | null {
  if (!isObject(value) || !Array.isArray(value.keys)) return null;
  const keys: unknown[] = value.keys;
  if (keys.length === 0 || keys.length > MAX_KEYS) return null;
  const read = keys.filter(isPublicKey);
  return read.length === keys.length ? { keys: read } : null;
}

function isPublicKey(key: unknown): key is Record<string, unknown> {
  if (!isObject(key) || !KEY_TYPES.has(key.kty) || SECRET_MEMBERS.some((member) => member in key)) return false;
  try {
    createPublicKey({ key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
