interface Page<T> {
  data: T[];
  next_page: string | null;
}

/** A list of the market. `for await` asks for a page when the one before it is used up. */
export class Pages<T> implements AsyncIterable<T> {
  constructor(private readonly load: (cursor: string | undefined) => Promise<Page<T>>) {}

  /** One page, and the cursor of the next one; null: it was the last. */
  page(cursor?: string): Promise<Page<T>> {
    return this.load(cursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const { data, next_page: next } = await this.load(cursor ?? undefined);
      yield* data;
      cursor = next;
    } while (cursor !== null);
  }

  /**
   * The first so many. A number must be named, so that a list that has grown does not fill the memory; throws RangeError
   * when it is no whole number from 1.
   */
  async toArray({ limit }: { limit: number }): Promise<T[]> {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit must be a whole number from 1');
    const all: T[] = [];
    for await (const one of this) if (all.push(one) >= limit) break;
    return all;
  }
}
