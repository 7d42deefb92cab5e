/**
 * A response body that is JSON text already: written byte for byte, so that what was stored, signed for or rendered
 * once is what the caller reads.
 */
export class RawJson {
  constructor(
    readonly text: string,
    /** Further response headers. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** A page as JSON text; `next_page` is what its `Link` header is made of. */
export class PageJson<Item = unknown> extends RawJson {
  constructor(
    text: string,
    readonly next_page: string | null,
  ) {
    super(text);
  }

  /** The rows, for who shows them in another way: read from the text each time. */
  get data(): Item[] {
    return (JSON.parse(this.text) as { data: Item[] }).data;
  }
}
