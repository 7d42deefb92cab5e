import type { Hex } from '#libs/kernel';
import type { ObjectKey } from '../../../platform/storage/object-store.js';

/** Key of an artifact in the store. */
export function objectKeyOf(artifactHash: Hex): ObjectKey {
  return artifactHash.slice(2).toLowerCase();
}

/** The artifact whose key in the store this is. */
export function hashOfKey(key: ObjectKey): Hex {
  return `0x${key}`;
}
