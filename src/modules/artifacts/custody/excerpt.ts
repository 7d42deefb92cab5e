import { stripControls } from '#libs/kernel';

const MOST = 4_096;
const LEAST = 256;
/** A long artifact shows one part in ten. */
const USUAL_PART = 10;
/** A short artifact shows at most one part in four, so that no excerpt gives the artifact away. */
const LARGEST_PART = 4;

/** Control characters that no text contains: C0 without tab, line feed, form feed, carriage return and escape. */
// eslint-disable-next-line no-control-regex
const NO_TEXT = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/**
 * Bytes from the beginning of an artifact that its payer may see before the release: a tenth of it, but at least 256 and
 * at most 4,096, and never more than a quarter. 0 for artifacts of less than four bytes.
 */
// docs/decisions/interface.md#visibility: a bounded excerpt, so a rejection cannot take the work for free
export function excerptBytes(bytes: number): number {
  const usual = Math.min(MOST, Math.max(LEAST, Math.floor(bytes / USUAL_PART)));
  return Math.min(usual, Math.floor(bytes / LARGEST_PART));
}

/**
 * Decodes the bytes as text that is safe to read; null when they are not the beginning of a UTF-8 text. An incomplete
 * character at the end is left out.
 */
export function excerptText(beginning: Uint8Array): string | null {
  const text = decoded(beginning);
  return text === null || NO_TEXT.test(text) ? null : stripControls(text.replaceAll('\r\n', '\n'));
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
