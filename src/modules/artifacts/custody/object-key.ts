import type { Hex } from '#libs/kernel';
import type { ObjectKey } from '../../../platform/storage/object-store.js';

/** Where an artifact is in the store. */
export function objectKeyOf(artifactHash: Hex): ObjectKey {
  return artifactHash.slice(2).toLowerCase();
}
