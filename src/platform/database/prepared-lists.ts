/**
 * The arrays `$1` and following, of these types, as an argument of `unnest`. The subselects hide the arrays' lengths
 * from the planner: if it saw them, it would expect a plan for these lengths to be cheaper than the general one, and
 * plan the statement anew every time.
 */
export function listsOf(...types: string[]): string {
  return types.map((type, index) => `(SELECT $${index + 1}::${type}[])`).join(', ');
}
