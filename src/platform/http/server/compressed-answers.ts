import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler, Response } from 'express';

/** Smaller answers fit into one packet without compression. */
const THRESHOLD_BYTES = 1_024;
/** This level saves most of what Brotli's best level (11) saves, in a hundredth of its time. */
const BROTLI_QUALITY = 4;
const COMPRESSED = /^(?:application\/json|text\/(?:javascript|css))\b/;

/**
 * Compresses JSON, scripts and styles as the caller's `Accept-Encoding` says. Pages are left alone: they hold form tokens
 * beside texts of other users, which compression would let an observer of lengths guess. So are artifacts, whose bytes
 * and ranges are what was delivered.
 * @param isWanted false where a proxy does it.
 */
export function compressedAnswers(isWanted: boolean): RequestHandler {
  if (!isWanted) return (_request, _response, next) => next();
  return compression({
    threshold: THRESHOLD_BYTES,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    filter: (request, response: Response) =>
      !request.path.startsWith('/artifacts/') && COMPRESSED.test(String(response.getHeader('Content-Type'))),
  });
}
