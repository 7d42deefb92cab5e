/** What the payer of a delivery may see of its artifact before the release. */
export interface PreviewedArtifact {
  readonly bytes: number;
  /** The media type that the worker declared. */
  readonly mediaType: string;
  /** The beginning of a text, limited by artifacts/custody/excerpt.ts; null for other artifacts. */
  readonly excerpt: string | null;
}

const NO_CUSTODY =
  'This service does not keep this delivery. Ask the worker for it, and compare the SHA-256 of what you receive with the ' +
  'one below before you accept it.';

const IN_CUSTODY =
  'This service keeps the whole delivery and has checked its SHA-256. You get the rest once you have accepted it.';

/** Sentence about the custody of a delivery's artifact; null: not in custody. */
export function custodySentence(artifact: PreviewedArtifact | null): string {
  return artifact === null ? NO_CUSTODY : IN_CUSTODY;
}
