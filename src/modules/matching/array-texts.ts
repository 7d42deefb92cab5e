const ZERO = 48;
const NINE = 57;

/** The elements of an array of Postgres whose elements are not negative, such as `{12,7}`. */
export function integersIn(text: string): number[] {
  const found: number[] = [];
  let value = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      value = Math.max(value, 0) * 10 + code - ZERO;
    } else if (value >= 0) {
      found.push(value);
      value = -1;
    }
  }
  return found;
}

/** An array as Postgres reads it: `pg` would look at every element for what it is. */
export function arrayText(elements: readonly (number | boolean)[]): string {
  return `{${elements.join(',')}}`;
}
