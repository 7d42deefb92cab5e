import express, { type Request, type Response } from 'express';
import { ApiError } from '../api-error.js';

/** How a kind of body is called in a refusal, and how large it may be. */
interface BodyKind {
  readonly noun: 'body' | 'form';
  readonly maxKiB: number;
}

/** Reads the bytes of a body; empty when it has none. */
export type BodyReader = (request: Request, response: Response) => Promise<Buffer>;

/**
 * Makes a reader of bodies of one kind. It refuses compressed ones: a few KiB must not become megabytes.
 * The reader throws ApiError `payload_too_large`, `unsupported_media_type` or `invalid_request`.
 */
export function bodyReader(kind: BodyKind): BodyReader {
  const readBytes = express.raw({ limit: kind.maxKiB * 1024, inflate: false, type: () => true });
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      readBytes(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(refusalOf(error, kind)),
      );
    });
    const bytes: unknown = request.body;
    return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  };
}

/** Errors of Express's body reader carry what happened in `type`. */
function refusalOf(error: unknown, { noun, maxKiB }: BodyKind): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large': {
      const reason = `The ${noun} is larger than ${maxKiB} KiB.`;
      return new ApiError('payload_too_large', reason, undefined, { Connection: 'close' });
    }
    case 'encoding.unsupported':
      return new ApiError('unsupported_media_type', `The ${noun} must be sent without a content encoding.`);
    case 'request.size.invalid':
    case 'request.aborted':
      return new ApiError('invalid_request', `The ${noun} is not as long as the request said.`);
    default:
      return error;
  }
}
