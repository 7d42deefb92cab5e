/** Deepest nesting of a request body; no operation needs more than three. */
const MAX_DEPTH = 32;
/**
 * Most members and elements of a request body, inner ones included; no operation needs more than 110. Reading a body
 * takes some microseconds for each of them, while all other requests wait.
 */
const MAX_PARTS = 1_000;

/** A body that `JSON.parse` would take but that means different things to different readers. */
export class JsonMembersError extends Error {}

/**
 * Refuses JSON text with a member name given twice (`JSON.parse` keeps the last, others the first), with a member named
 * `__proto__`, nested deeper than 32, or with more than 1,000 members and elements. Stops at the first of these. Runs before
 * parsing; text that is not JSON is left to `JSON.parse`.
 * Throws JsonMembersError, or SyntaxError on a broken member name.
 */
export function checkJsonMembers(text: string): void {
  /** Names seen per open object; null for an open array. */
  const open: (Set<string> | null)[] = [];
  let parts = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        open.push(text.charCodeAt(i) === OPEN_OBJECT ? new Set() : null);
        if (open.length > MAX_DEPTH) throw new JsonMembersError(`The body is nested deeper than ${MAX_DEPTH}.`);
        // An object or array that is not empty has one part more than it has commas.
        if (!isClosed(text, i)) parts++;
        break;
      case COMMA:
        parts++;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
        break;
      case QUOTE: {
        const end = endOfString(text, i);
        const names = open.at(-1);
        if (names && isFollowedByColon(text, end)) addName(names, text.slice(i, end + 1));
        i = end;
        break;
      }
      default:
    }
    if (parts > MAX_PARTS) throw new JsonMembersError(`The body has more than ${MAX_PARTS} members and elements.`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Index of the quote that ends the string beginning at `start`; that of the last character when none does. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length - 1;
}

/** In an object a string before a colon is a member's name, and nothing else is. */
function isFollowedByColon(text: string, end: number): boolean {
  return nextCode(text, end) === COLON;
}

/** True for an object or array that opens at `start` and holds nothing. */
function isClosed(text: string, start: number): boolean {
  const code = nextCode(text, start);
  return code === CLOSE_OBJECT || code === CLOSE_ARRAY;
}

/** The first character behind `at` that is no blank; NaN at the end. */
function nextCode(text: string, at: number): number {
  let i = at + 1;
  while (BLANKS.has(text.charCodeAt(i))) i++;
  return text.charCodeAt(i);
}

function addName(names: Set<string>, quoted: string): void {
  const name: unknown = JSON.parse(quoted);
  if (typeof name !== 'string') return;
  if (names.has(name)) throw new JsonMembersError('The body names a member twice.');
  if (name === '__proto__') throw new JsonMembersError('The body has a member that is not allowed.');
  names.add(name);
}
