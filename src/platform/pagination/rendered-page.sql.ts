import { utcText } from '../time/utc-text.sql.js';
import type { PageJson } from '../http/raw-json.js';
import { pageJson } from './page-json.js';

/** What `renderedPage` answers, as the text that Postgres sent: the page, and the position of its last row if there are more. */
export type RenderedPageRow<Position extends string> = Record<Position, string | null> & {
  /** The documents, separated by commas; null when there are none. */
  documents: string | null;
  /** `t` when there are more. */
  more: 't' | 'f';
};

/** Columns that tell where a row stands in a list, in the order in which a cursor holds them; times are in milliseconds. */
export type PositionColumns<Name extends string> = Readonly<Record<Name, 'text' | 'time'>>;

/**
 * A whole page as text, in one row: reading and joining its rows here would cost more than Postgres takes for it.
 * @param rows selects `document` and the columns of the position, one row more than `limit` where there is one.
 * @param order of the list, by these columns.
 */
export function renderedPage(rows: string, limit: number, order: string, position: PositionColumns<string>): string {
  const last = Object.entries(position).map(([name, type]) => {
    const value = `max(${name}) FILTER (WHERE place = ${limit})`;
    return `${type === 'time' ? utcText(value) : value} AS ${name}`;
  });
  return `SELECT string_agg(document, ',' ORDER BY ${order}) FILTER (WHERE place <= ${limit}) AS documents,
        count(*) > ${limit} AS more, ${last.join(', ')}
      FROM (SELECT *, row_number() OVER (ORDER BY ${order}) AS place FROM (${rows}) page) numbered`;
}

/** The page of a row of `renderedPage`. @param seal makes the cursor behind the last row shown. */
export function pageOfDocuments<Item, Name extends string>(
  row: RenderedPageRow<NoInfer<Name>> | undefined,
  position: PositionColumns<Name>,
  seal: (position: readonly string[]) => string,
): PageJson<Item> {
  const names = Object.keys(position) as Name[];
  const next = row?.more === 't' ? seal(names.map((name) => row[name] ?? '')) : null;
  return pageJson(row?.documents ?? '', next);
}
