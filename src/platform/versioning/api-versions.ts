/** Published service versions, the oldest first; one line per version, and never one fewer (spec: Versioning). */
export const PUBLISHED_VERSIONS = ['2026-11-20'] as const;

/** What serves a caller who names no version and whose credential pins none. */
export const CURRENT_VERSION: string = PUBLISHED_VERSIONS[PUBLISHED_VERSIONS.length - 1] ?? PUBLISHED_VERSIONS[0];

/** True for a version that can be asked for. */
export function isPublished(version: string): boolean {
  return PUBLISHED_VERSIONS.some((published) => published === version);
}
