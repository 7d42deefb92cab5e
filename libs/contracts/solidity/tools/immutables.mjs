/**
 * Where the immutables of a contract lie in its code.
 * @param {object[]} asts syntax trees of the sources that declare them
 * @param {Record<string, { start: number, length: number }[]>} references the compiler's `immutableReferences`
 * @returns {Record<string, number[]>} first byte of each 32-byte word, by the name of the immutable in lower case and
 *   without the underscore of private ones
 */
export function immutableGaps(asts, references) {
  const names = new Map();
  const visit = (node) => {
    if (node.nodeType === 'VariableDeclaration' && node.mutability === 'immutable')
      names.set(String(node.id), node.name.replace(/^_/, '').toLowerCase());
    (node.nodes ?? []).forEach(visit);
  };
  asts.forEach(visit);
  const gaps = {};
  for (const [declaration, places] of Object.entries(references)) {
    const name = names.get(declaration);
    if (name === undefined) throw new Error(`no source declares the immutable ${declaration}`);
    if (places.some(({ length }) => length !== 32)) throw new Error(`the immutable ${name} is not a word`);
    gaps[name] = places.map(({ start }) => start);
  }
  return gaps;
}
