/**
 * Published service versions, the oldest first; one line per version, and never one fewer
 * (docs/decisions/interface.md#versions).
 */
export const PUBLISHED_VERSIONS = ['2026-08-16', '2026-11-20'] as const;

/** Version that serves a caller who names none and whose credential pins none. */
export const CURRENT_VERSION: string = PUBLISHED_VERSIONS[PUBLISHED_VERSIONS.length - 1] ?? PUBLISHED_VERSIONS[0];

/**
 * The published version that serves a date: the newest that is not later than the date, so that a client may name the
 * day it was written. Null before the first version, and after the newest: what a date of the future names may yet
 * change.
 * @param date `YYYY-MM-DD`, whose order is that of its text.
 */
export function versionServing(date: string): string | null {
  if (date > CURRENT_VERSION) return null;
  return PUBLISHED_VERSIONS.findLast((published) => published <= date) ?? null;
}
