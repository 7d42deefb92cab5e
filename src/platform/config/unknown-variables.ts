import { VARIABLES, type VariableSource } from './variables.js';

/** A first word that at least this many of our names share counts as ours. */
const FAMILY = 3;
/** Shorter names are too near to other programs' for a slip of one letter to mean ours. */
const SHORTEST = 6;

const NAMES: ReadonlySet<string> = new Set(
  VARIABLES.flatMap(({ name, file }) => (file ? [name, `${name}_FILE`] : [name])),
);
const FAMILIES: ReadonlySet<string> = familiesOf([...VARIABLES].map(({ name }) => name));

/**
 * A sentence for each variable that is set, looks like a setting of ours, and is none: it begins with the first word of
 * several of ours (`RATE_`, `OAUTH_`, …), or is one letter away from one. Holds names, never a value.
 */
export function unknownVariables(source: VariableSource = process.env): string[] {
  return Object.keys(source)
    .filter((name) => Boolean(source[name]) && !NAMES.has(name))
    .flatMap((name) => {
      const meant = [...NAMES].find((known) => known.length >= SHORTEST && isSlip(name, known));
      if (meant !== undefined)
        return [`${printable(name)} is no setting of Tasktree and changes nothing; ${meant} is one.`];
      return FAMILIES.has(firstWord(name)) ? [`${printable(name)} is no setting of Tasktree and changes nothing.`] : [];
    });
}

function familiesOf(names: readonly string[]): Set<string> {
  const count = new Map<string, number>();
  for (const name of names) count.set(firstWord(name), (count.get(firstWord(name)) ?? 0) + 1);
  return new Set([...count].filter(([, times]) => times >= FAMILY).map(([word]) => word));
}

/** The first word of a name with its underscore; empty for a name of one word. */
function firstWord(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}

/** True when one letter was left out, added, changed, or swapped with its neighbour, or the case is another. */
function isSlip(name: string, known: string): boolean {
  if (Math.abs(name.length - known.length) > 1) return false;
  const typed = name.toUpperCase();
  let start = 0;
  while (start < typed.length && typed[start] === known[start]) start += 1;
  const [a, b] = [typed.slice(start), known.slice(start)];
  if (a === '' && b === '') return true;
  const isSwapped = a.slice(0, 2) === `${b[1] ?? ''}${b[0] ?? ''}` && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1);
}

/** A name may hold anything but "=": what could steer a terminal or fill it is left out. */
function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 80);
}
