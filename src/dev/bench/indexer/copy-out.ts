import type pg from 'pg';

/** Reads what a `COPY … TO STDOUT` gives, which the driver's own queries leave out. */
export class CopyOut implements pg.Submittable {
  private readonly chunks: Buffer[] = [];

  private constructor(
    readonly text: string,
    private readonly resolve: (bytes: Buffer) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  /** @returns all bytes. @throws the driver's error. */
  static read(client: pg.Client, text: string): Promise<Buffer> {
    return new Promise((resolve, reject) => void client.query(new CopyOut(text, resolve, reject)));
  }

  submit(connection: pg.Connection): void {
    (connection as pg.Connection & { query(text: string): void }).query(this.text);
  }

  /** The driver uses the memory of a message again, so its bytes are copied. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.chunks.push(Buffer.from(chunk));
  }

  handleCommandComplete(): void {
    // All bytes are there, but the connection is not free yet.
  }

  handleReadyForQuery(): void {
    this.resolve(Buffer.concat(this.chunks));
  }

  handleError(error: unknown): void {
    this.reject(error);
  }
}
