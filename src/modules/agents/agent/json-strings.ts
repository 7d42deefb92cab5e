/** Reads a JSON array of texts. Throws SyntaxError or TypeError on anything else. */
export function textsOf(json: string): string[] {
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new TypeError('Not a JSON array of texts');
  }
  return value;
}
