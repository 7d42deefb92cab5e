import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { bytesToHex, type Hex } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';

/** A sender that is silent for longer is disconnected. */
const IDLE_MS = 30_000;
/** Longest time for a whole upload; 100 MiB need half a megabit per second. */
const WHOLE_MS = 1_800_000;
/** Limits of reading on after a refusal, so that a sender that is still writing can receive the answer. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 4 * 1024 * 1024;

/** The bytes of a request's body, counted and hashed while they arrive. They can be read once. */
export class UploadBytes implements AsyncIterable<Uint8Array> {
  private readonly hash = createHash('sha256');
  private count = 0;

  /** @param maxBytes most bytes that are accepted; a larger body is refused as soon as the limit is passed. */
  constructor(
    private readonly request: Request,
    private readonly maxBytes: number,
  ) {}

  /** Number of bytes received. */
  get bytes(): number {
    return this.count;
  }

  /** SHA-256 of all bytes received; call it once, at the end. */
  digest(): Hex {
    return bytesToHex(this.hash.digest());
  }

  /**
   * @throws ApiError `payload_too_large`; `invalid_request` when the body is shorter than announced or does not arrive
   *   in time.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const tooLate = setTimeout(() => this.request.destroy(), WHOLE_MS);
    // The connection must stay open after a refusal, because the answer is sent on it.
    const chunks: AsyncIterator<unknown> = this.request.iterator({ destroyOnReturn: false });
    try {
      for (;;) {
        const chunk = await this.next(chunks);
        if (chunk === null) return;
        this.count += chunk.length;
        if (this.count > this.maxBytes) throw tooLarge(this.maxBytes);
        this.hash.update(chunk);
        yield chunk;
      }
    } finally {
      clearTimeout(tooLate);
      await chunks.return?.();
    }
  }

  private async next(chunks: AsyncIterator<unknown>): Promise<Uint8Array | null> {
    const idle = setTimeout(() => this.request.destroy(), IDLE_MS);
    try {
      const { done, value } = await chunks.next();
      if (done === true) return null;
      if (value instanceof Uint8Array) return value;
    } catch {
      // The connection has ended, or one of the two timers has ended it.
    } finally {
      clearTimeout(idle);
    }
    throw new ApiError('invalid_request', 'The body is not as long as the request said.');
  }
}

/** The error for an artifact that is larger than `maxBytes`. */
export function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The artifact is larger than ${maxBytes} bytes.`);
}

/** Reads and discards the body for a moment, because a sender that is still writing would not see the answer. */
export async function linger(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const over = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(over);
      resolve();
    };
    let left = LINGER_BYTES;
    const skip = (chunk: Uint8Array) => {
      left -= chunk.length;
      if (left < 0) done();
    };
    request.once('end', done).once('close', done).on('data', skip).resume();
  });
  request.pause();
}
