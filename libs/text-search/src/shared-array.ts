/** Bytes, all 0, that threads share when one sends the array to another; a copy of the array is not shared. */
export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** Numbers below 2^32 that threads share, all 0. */
export function sharedWords(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

/** Numbers of 32 bits that threads share, all 0. */
export function sharedIntegers(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
}

/** Fractional numbers that threads share, all 0. */
export function sharedFloats(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
}

/** The same numbers in a longer array, which has room for `least` and is at least twice as long. */
export function grownFloats(numbers: Float64Array, least: number): Float64Array {
  const longer = sharedFloats(Math.max(least, 2 * numbers.length));
  longer.set(numbers);
  return longer;
}
