/** What the payer of a delivery may see of its artifact before the release. */
export interface PreviewedArtifact {
  readonly bytes: number;
  /** As the worker declared it. */
  readonly mediaType: string;
  /** The bounded beginning of a text (../artifacts/excerpt.ts); null for everything else. */
  readonly excerpt: string | null;
}

const NO_CUSTODY =
  'No artifact is in the custody of this service for this delivery: ask its worker for the work, and compare the ' +
  'SHA-256 of what you receive with the artifact hash before you accept it.';

const IN_CUSTODY =
  'The artifact is in the custody of this service, and its SHA-256 is the artifact hash. The whole of it is handed over ' +
  'once the node is released.';

/** What the preview says of the custody of a delivery's artifact. */
export function custodySentence(artifact: PreviewedArtifact | null): string {
  return artifact === null ? NO_CUSTODY : IN_CUSTODY;
}
