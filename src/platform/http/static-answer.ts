import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { answerNotModified } from './headers/entity-tag.js';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/**
 * The strongest compression, because each answer is compressed once; beside the event loop, because a megabyte takes
 * seconds.
 */
const ENCODERS = {
  br: (bytes: Uint8Array) =>
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gzip: (bytes: Uint8Array) => gzipped(bytes, { level: 9 }),
} as const;
type Encoding = keyof typeof ENCODERS;

/** An answer that is the same for everybody as long as the process lives: compressed only once for each encoding. */
export class StaticAnswer {
  private readonly bytes: Buffer;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  /**
   * @param encodings those that callers may be answered in; none where a proxy compresses.
   * @param cacheControl how long a browser may keep it without asking.
   */
  constructor(
    private readonly mediaType: string,
    content: string | Buffer,
    private readonly encodings: readonly Encoding[] = ['br', 'gzip'],
    private readonly cacheControl = 'no-cache',
  ) {
    this.bytes = Buffer.from(content);
  }

  /**
   * Answers with the bytes, or with 304 to a caller that has them already. Other headers of the answer stay as they
   * are.
   */
  async send(request: Request, response: Response): Promise<void> {
    response.setHeader('Cache-Control', this.cacheControl);
    response.vary('Accept-Encoding');
    if (answerNotModified(response, this.bytes)) return;
    const accepted = this.encodings.length === 0 ? false : request.acceptsEncodings([...this.encodings, 'identity']);
    const encoding = this.encodings.find((name) => name === accepted);
    const bytes = encoding === undefined ? this.bytes : await this.encodedAs(encoding);
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', this.mediaType);
    response.setHeader('Content-Length', bytes.length);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  private encodedAs(encoding: Encoding): Promise<Buffer> {
    const before = this.encoded.get(encoding);
    if (before) return before;
    const bytes = ENCODERS[encoding](this.bytes);
    this.encoded.set(encoding, bytes);
    return bytes;
  }
}
