/*
 * The one rule about invisible characters, for the service and for browsers: they are refused in text that is taken in,
 * and removed or marked where text of others is shown. A joiner or selector that changes what is seen is ordinary text.
 * The tables are marked as pure, so that a bundle in which no prose is shown has none of them; one that is made of another
 * is a function's result, because a bundler keeps what stands in a template as an argument.
 */

/**
 * Controls other than line feed and tab; line and paragraph separators; all that Unicode lets a font leave out: marks,
 * embeddings, overrides and isolates of text direction, joiners, fillers, tags, selectors of variants; signs of layout;
 * what is no character; and letters and signs that look like a blank.
 */
const UNSEEN =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Surrogate}' +
  '\\p{Noncharacter_Code_Point}\\u2800\\ufff9-\\ufffc\\u{13430}-\\u{13440}\\u{16fe4}\\u{1d159}]';
const ANY_UNSEEN = /* @__PURE__ */ new RegExp(UNSEEN, 'u');
const EACH_UNSEEN = /* @__PURE__ */ new RegExp(UNSEEN, 'gu');

/** Scripts whose letters take other forms beside a joiner or non-joiner: the cursive ones and those with conjuncts. */
const JOINING_SCRIPTS = /* @__PURE__ */ (
  'Arabic Syriac Mandaic Mongolian Phags_Pa Nko Adlam Hanifi_Rohingya ' +
  'Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
  'Khmer Myanmar Tibetan Balinese Javanese Sundanese Chakma Meetei_Mayek Newa Tirhuta'
).split(' ');
/** A letter or mark of one of these scripts; marks that several scripts share count for each. */
const JOINING = /* @__PURE__ */ (() =>
  new RegExp(
    `^(?=[\\p{L}\\p{M}])[${JOINING_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`,
    'u',
  ))();
/**
 * Virama signs, which take a letter's vowel away: a joiner after one gives the half form, also at the end of a word.
 */
const VIRAMA = /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/u;
/** The Arabic heh: its initial form alone stands for "hijri" in dates. */
const HEH = '\u0647';
const PICTURE = /^\p{Extended_Pictographic}/u;
const SKIN = /^\p{Emoji_Modifier}/u;
const KEY = /^[0-9#*]/u;
const KEY_FRAME = '\u20e3';
const MONGOLIAN = /^[\u1820-\u18aa]/u;
const NON_JOINER = '\u200c';
const JOINER = '\u200d';
const VOWEL_SEPARATOR = '\u180e';
const LONE_VOWELS = ['\u1820', '\u1821'];
/** The flags of England, Scotland and Wales: the only sequences of tags that are in use. */
const FLAGS = /* @__PURE__ */ ['eng', 'sct', 'wls'].map(
  (part) => `\u{1f3f4}${Array.from(`gb${part}`, (letter) => tag(letter)).join('')}\u{e007f}`,
);
/** Code units of one tag character. */
const TAG_LENGTH = 2;

/**
 * The text without characters that a reader cannot see or that change the order of reading; keeps `\n`, `\t`, and what
 * joined emoji and the words of joining scripts need. Takes time in proportion to the text.
 */
export function stripControls(text: string): string {
  return withoutHidden(text, () => '');
}

/**
 * The text as a person may read it: each character that `stripControls` takes out is shown as its code point, such as
 * `\\u{202e}`. So a text that was stored before such characters were refused shows that it holds them.
 */
export function markHidden(text: string): string {
  return withoutHidden(text, codePointText);
}

/** `markHidden` for one line: line breaks and runs of blanks become one blank each, none at the ends. */
export function markedLine(text: string): string {
  return markHidden(oneLine(text)).trim();
}

function withoutHidden(text: string, instead: (found: string) => string): string {
  // Nearly every text has no invisible character, and this test takes far less time than the replacement.
  if (!ANY_UNSEEN.test(text)) return text;
  return text.replace(EACH_UNSEEN, (found, at: number) => (isSeen(text, found, at) ? found : instead(found)));
}

/** True when the text holds what `stripControls` takes out. */
export function hidesText(text: string): boolean {
  for (const { 0: found, index } of text.matchAll(EACH_UNSEEN)) if (!isSeen(text, found, index)) return true;
  return false;
}

/** True where this character, invisible by itself, changes how its neighbours look. */
function isSeen(text: string, found: string, at: number): boolean {
  const before = characterBefore(text, at);
  if (found === NON_JOINER || found === JOINER) return joins(text, found, at);
  if (found === '\ufe0f' && KEY.test(before)) return text.startsWith(KEY_FRAME, at + 1);
  if (found === '\ufe0e' || found === '\ufe0f') return PICTURE.test(before);
  if (found >= '\u180b' && found <= '\u180f' && MONGOLIAN.test(before)) {
    return found !== VOWEL_SEPARATOR || LONE_VOWELS.includes(text.charAt(at + 1));
  }
  return found >= tag('\u0000') && found <= tag('\u007f') && isInFlag(text, at);
}

function joins(text: string, found: string, at: number): boolean {
  const before = characterBefore(text, at);
  const after = text.slice(at + 1, at + 3);
  // Pictures are tested first, because the test for a letter of so many scripts takes several times longer. No picture
  // is a letter.
  if (found === JOINER && PICTURE.test(after) && joinsPicture(text, before, at)) return true;
  if (JOINING.test(after) && JOINING.test(before)) return true;
  return found === JOINER && (VIRAMA.test(before) || before === HEH);
}

/** True for a joiner that follows a picture, or a picture with a variation selector or skin colour. */
function joinsPicture(text: string, before: string, at: number): boolean {
  const isChosen = before === '\ufe0e' || before === '\ufe0f';
  return isChosen ? PICTURE.test(characterBefore(text, at - 1)) : PICTURE.test(before) || SKIN.test(before);
}

function isInFlag(text: string, at: number): boolean {
  return FLAGS.some((flag) => {
    for (let start = at - TAG_LENGTH; start > at - flag.length; start -= TAG_LENGTH) {
      if (start >= 0 && text.startsWith(flag, start)) return true;
    }
    return false;
  });
}

/** The whole character that ends before this place; empty at the beginning. */
function characterBefore(text: string, at: number): string {
  const isPair =
    at > 1 && isWithin(text.charCodeAt(at - 1), 0xdc00, 0xdfff) && isWithin(text.charCodeAt(at - 2), 0xd800, 0xdbff);
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

function isWithin(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

function tag(letter: string): string {
  return String.fromCodePoint(0xe0000 + letter.charCodeAt(0));
}

/** A character as its code point, such as `\\u{202e}`. */
function codePointText(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** The text with line breaks and runs of blanks as one blank each. */
function oneLine(text: string): string {
  // `\s` includes the byte order mark, which must be marked as an invisible character and not become a blank.
  return text.replace(/[^\S\ufeff]+/gu, ' ');
}

/**
 * The text as one line with every invisible character as its code point, also one that joins its neighbours: for values
 * that are no prose, such as addresses. Prose is shown by `markedLine`.
 */
export function markUnseen(text: string): string {
  return oneLine(text).replace(EACH_UNSEEN, codePointText).trim();
}

/** The text with every invisible character as the escapes of JSON and JavaScript, such as `\\u202e`: it is read as the same text. */
export function escapeUnseen(text: string): string {
  return text.replace(EACH_UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
