/**
 * The arrays `$1` and following, of these types, as an argument of `unnest`. The subselects hide the arrays' lengths
 * from the planner: if it saw them, it would expect a plan for these lengths to be cheaper than the general one, and
 * plan the statement anew every time.
 */
export function listsOf(...types: string[]): string {
  return types.map((type, index) => `(SELECT $${index + 1}::${type}[])`).join(', ');
}

/**
 * The lists `$1` and following as columns of a select list, which gives a row a place, in the order of the lists. They travel
 * as `linesOf` makes them: one text each, in which nothing needs to be escaped. For texts full of quotes that is much of the
 * cost: a hundred events were recorded in 10 µs of this process each, not 17. In a select list Postgres passes each row on as
 * it is made; in FROM it would keep them all first, list by list.
 * @param columns name and type of each.
 */
export function lineColumnsOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type], index) => `unnest(string_to_array($${index + 1}::text, E'\\n', '')::${type}[]) AS ${name}`)
    .join(', ');
}

/** The parameter for one list of `lineColumnsOf`. @param values that hold no line break and are not empty, or null. */
export function linesOf(values: readonly (string | number | null)[]): string {
  return values.map((value) => value ?? '').join('\n');
}
