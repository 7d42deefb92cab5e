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

/** A page as JSON text; `nextPage` is what its `Link` header is made of. */
export class PageJson extends RawJson {
  constructor(
    text: string,
    readonly nextPage: string | null,
  ) {
    super(text);
  }
}
