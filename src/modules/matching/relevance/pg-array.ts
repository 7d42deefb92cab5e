const ZERO = 48;
const NINE = 57;

/** Reads a Postgres array of non-negative integers, such as `{12,7}`. */
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

/** Reads non-negative integers that Postgres packed with `int4send` or `int2send`, four or two bytes each. */
export function packedIntegersIn(hex: string, bytesEach: 2 | 4): Uint32Array {
  const bytes = Buffer.from(hex, 'hex');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = new Uint32Array(bytes.length / bytesEach);
  for (let index = 0; index < found.length; index += 1) {
    found[index] = bytesEach === 4 ? view.getUint32(4 * index) : view.getUint16(2 * index);
  }
  return found;
}

/**
 * Text of a Postgres array, because `pg` would check the type of every element. Uses JSON.stringify, which takes a
 * third of the time of joining. Numbers must be finite.
 */
export function arrayText(elements: readonly (number | boolean)[]): string {
  return `{${JSON.stringify(elements).slice(1, -1)}}`;
}
