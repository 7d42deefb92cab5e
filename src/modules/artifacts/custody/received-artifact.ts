import type { Hex } from '#libs/kernel';
import type { StagedObject } from '../../../platform/storage/object-store.js';

/** An artifact that has come whole and with the digest that was promised, and that nobody can read yet. */
export class ReceivedArtifact {
  constructor(
    readonly staged: StagedObject,
    readonly artifactHash: Hex,
    /** At least 1. */
    readonly bytes: number,
    /** As its sender declared it. */
    readonly mediaType: string,
  ) {}
}
