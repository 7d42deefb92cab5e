/** What the payer of a delivery may see of its artifact before the release. */
export interface PreviewedArtifact {
  readonly bytes: number;
  /** As the worker declared it. */
  readonly mediaType: string;
  /** The bounded beginning of a text (artifacts/custody/excerpt.ts); null for everything else. */
  readonly excerpt: string | null;
}

const NO_CUSTODY =
  'This service does not keep this delivery. Ask the worker for it, and compare the SHA-256 of what you receive with the ' +
  'one below before you accept it.';

const IN_CUSTODY =
  'This service keeps the whole delivery and has checked its SHA-256. You get the rest once you have accepted it.';

/** What the preview says of the custody of a delivery's artifact. */
export function custodySentence(artifact: PreviewedArtifact | null): string {
  return artifact === null ? NO_CUSTODY : IN_CUSTODY;
}
