/**
 * The arrays `$1` and following, of these types, as an argument of `unnest`. The planner is not to see how long they are:
 * where it does, it takes a statement for cheaper with each list than without, and plans it anew every time.
 */
export function listsOf(...types: string[]): string {
  return types.map((type, index) => `(SELECT $${index + 1}::${type}[])`).join(', ');
}
