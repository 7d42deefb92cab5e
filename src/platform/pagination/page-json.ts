import { PageJson } from '../http/raw-json.js';

/**
 * A page of rows that carry their rendered JSON documents: nothing is parsed or rendered again.
 * @param documents the documents, separated by commas.
 */
export function pageJson<Item>(documents: string, nextPage: string | null): PageJson<Item> {
  return new PageJson(`{"data":[${documents}],"next_page":${JSON.stringify(nextPage)}}`, nextPage);
}
