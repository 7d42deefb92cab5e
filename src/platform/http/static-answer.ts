import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { answerNotModified } from './entity-tag.js';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** Beside the event loop: a megabyte takes a third of a second, in which everybody else would wait. */
const ENCODERS = {
  br: (bytes: Uint8Array) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array) => gzipped(bytes, { level: 9 }),
} as const;
type Encoding = keyof typeof ENCODERS;

/** A text that is the same for everybody as long as the process lives: compressed once, and again for nobody. */
export class StaticAnswer {
  private readonly bytes: Buffer;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  /** @param encodings those that callers may be answered in; none where a proxy compresses. */
  constructor(
    private readonly mediaType: string,
    text: string,
    private readonly encodings: readonly Encoding[] = ['br', 'gzip'],
  ) {
    this.bytes = Buffer.from(text, 'utf8');
  }

  /** Answers with the text, or 304 to who has it already. Other headers of the answer stay as they are. */
  async send(request: Request, response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache');
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
