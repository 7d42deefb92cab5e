import { PageJson } from '../http/raw-json.js';

/** A page of rows that carry their rendered JSON documents: nothing is parsed or rendered again. */
export function pageJson(documents: readonly string[], nextPage: string | null): PageJson {
  return new PageJson(`{"data":[${documents.join(',')}],"next_page":${JSON.stringify(nextPage)}}`, nextPage);
}
