import type { Hex } from '#libs/kernel';
import type { StagedObject } from '../../../platform/storage/object-store.js';

/** An artifact that was received whole and with the expected digest, and that nobody can read yet. */
export class ReceivedArtifact {
  /** True once its bytes may be under their key in the store: a write that fails from then on leaves them there. */
  isBrought = false;

  constructor(
    readonly staged: StagedObject,
    readonly artifactHash: Hex,
    /** At least 1. */
    readonly bytes: number,
    /** The media type that the sender declared. */
    readonly mediaType: string,
  ) {}
}
