/** Bytes of the largest body that operations accept. */
export const LARGEST_BODY = 65_536;

/** A body that may cost the service far more than its size suggests. */
export interface HostileBody {
  what: string;
  text: string;
}

/**
 * Texts to repeat: characters that regular expressions, normalisation and counting of characters handle badly, and
 * plain ones of a single kind.
 */
const FILLINGS: readonly (readonly [string, string])[] = [
  ['letters', 'x'],
  ['digits', '9'],
  ['hexadecimal digits', 'a'],
  ['blanks', ' '],
  ['blanks in escapes', '\\t\\n'],
  ['nulls in escapes', '\\u0000'],
  ['joiners', '\u200d'],
  ['joiners after letters', 'a\u200d'],
  ['invisible characters', '\u200b'],
  ['turned text', '\u202ea'],
  ['emoji', '🙂'],
  ['joined emoji', '👩\u200d'],
  ['marks', 'a\u0301'],
  ['signs of another case', 'İ'],
  ['minus signs', '-'],
  ['points and dots', '1.'],
  ['quotes in escapes', '\\"'],
  ['pairs in escapes', '\\ud83d\\ude00'],
];

/** Texts that begin as a rule expects and then go on for long: addresses, URLs, times, identifiers. */
const BEGUN: readonly (readonly [string, string])[] = [
  ['0x', 'a'],
  ['https://a.example/', 'x'],
  ['https://', '.a'],
  ['2026-11-27T12:55:00.', '9'],
  ['task_', 'x'],
];

/**
 * Bodies made to keep the service busy, for an operation whose body has these members.
 * @param paths names of the members, nested ones as `outer.inner`.
 * @param largest the most bytes that a body may have.
 */
export function hostileBodies(paths: readonly string[], largest = LARGEST_BODY): HostileBody[] {
  const size = new Size(largest);
  const bodies = [
    ...ofAnyOperation(size),
    ...paths.flatMap((path) => ofMember(path, size)),
    ...ofAllMembers(paths, size),
  ];
  for (const { what, text } of bodies) {
    if (Buffer.byteLength(text) > largest) throw new Error(`The body with ${what} is larger than ${largest} bytes`);
  }
  return bodies;
}

/** Scales hostile texts to the largest body allowed. */
class Size {
  constructor(readonly largest: number) {}

  /**
   * Scales a count: of something that fits `count` times into `LARGEST_BODY`, returns how many fit into `largest`
   * bytes.
   */
  of(count: number): number {
    return Math.floor((count * this.largest) / LARGEST_BODY);
  }

  /** A text with as many parts as fit into the body, between `head` and `end`; all the same, or one for each number. */
  filled(head: string, part: Filling['part'], end: string, separator = ','): string {
    return filled(this.largest, { head, part, end, separator });
  }
}

interface Filling {
  head: string;
  part: string | ((n: number) => string);
  end: string;
  separator: string;
}

function filled(largest: number, { head, part, end, separator }: Filling): string {
  const room = largest - Buffer.byteLength(head) - Buffer.byteLength(end);
  return head + (typeof part === 'string' ? repeated(part, separator, room) : numbered(part, separator, room)) + end;
}

/** As many equal parts as fit into so many bytes. */
function repeated(part: string, separator: string, room: number): string {
  const next = separator + part;
  const others = Math.floor((room - Buffer.byteLength(part)) / Buffer.byteLength(next));
  return others < 0 ? '' : part + next.repeat(others);
}

/** As many parts as fit into so many bytes, each made of its number. */
function numbered(part: (n: number) => string, separator: string, room: number): string {
  const parts: string[] = [];
  for (let n = 0, left = room; ; n++) {
    const next = (n === 0 ? '' : separator) + part(n);
    left -= Buffer.byteLength(next);
    if (left < 0) return parts.join('');
    parts.push(next);
  }
}

function ofAnyOperation(size: Size): HostileBody[] {
  const bodies: Record<string, string> = {
    'no members': '{}',
    'unknown members': size.filled('{', (n) => `"u${n}":0`, '}'),
    'unknown members with nothing in them': size.filled('{', (n) => `"${n}":{}`, '}'),
    'unknown objects of objects': size.filled('{', (n) => `"${n}":{"a":{"b":[{}]}}`, '}'),
    'one member again and again': size.filled('{', '"a":0', '}'),
    'one member in other spellings': size.filled('{', (n) => (n % 2 ? '"\\u0061":0' : '"a":0'), '}'),
    'names in escapes': size.filled('{', (n) => `"\\u00${(n % 90) + 10}${n}":0`, '}'),
    'the names of prototypes': size.filled('{', (n) => `"${n}":{"constructor":{"prototype":0}}`, '}'),
    'a long name': size.filled('{"', 'n', '":0}', ''),
    'a long name that nobody sees': size.filled('{"', '\u200b', '":0}', ''),
    'objects in objects': `{${'"a":{'.repeat(size.of(10_000))}${'}'.repeat(size.of(10_000) + 1)}`,
    'arrays in arrays': `{"a":${'['.repeat(size.of(30_000))}${']'.repeat(size.of(30_000))}}`,
    'as deep as it may be, again and again': size.filled('{', (n) => `"${n}":${'['.repeat(30)}${']'.repeat(30)}`, '}'),
    'arrays that do not end': '['.repeat(size.largest),
    'objects that do not end': '{"a":'.repeat(size.of(13_000)),
    'a text that does not end': `{"a":"${'\\"'.repeat(size.of(32_000))}`,
    blanks: `{${' '.repeat(size.largest - 2)}}`,
    'blanks after names': size.filled('{', (n) => `"${n}"${' '.repeat(50)}:0`, '}'),
    commas: `{"a":[${','.repeat(size.of(65_000))}]}`,
    'a long number': `{"a":${'9'.repeat(size.of(65_000))}}`,
    'a long fraction': `{"a":0.${'1'.repeat(size.of(65_000))}}`,
    'endless numbers': size.filled('{"a":[', '1e999', ']}'),
    'numbers that round': size.filled('{"a":[', '1.7976931348623157e308', ']}'),
    'lone surrogates': size.filled('{"a":["', '\\ud800', '"]}', ''),
  };
  return Object.entries(bodies).map(([what, text]) => ({ what, text }));
}

/**
 * Bodies that operations accept and that are the most expensive of those: as much text as fits, made of different
 * words, each of which the search has to store. Keyed by the name of the operation.
 * @param largest the most bytes that a body may have.
 */
export function acceptedBodies(largest = LARGEST_BODY): Readonly<Record<string, readonly HostileBody[]>> {
  const size = new Size(largest);
  return {
    'POST /v1/task-creation-intents': [
      {
        what: 'as long a brief as there may be, and as many criteria as fit',
        text: JSON.stringify({
          title: 'Translate',
          brief: words(size.of(20_000), 'brief'),
          criteria: Array.from({ length: size.of(50) }, (_, n) => words(850, `criterion${n}x`)),
          budget: { amount: '10.00', currency: 'USDC' },
          selection_mode: 'manual',
        }),
      },
    ],
    // Two bodies with different words, so that each update replaces all words of the other.
    'PATCH /v1/agents/{agent_id}': ['a', 'b'].map((stem) => ({
      what: `as long a description and as many capabilities as there may be, of words with ${stem}`,
      text: JSON.stringify({
        description: words(Math.min(4_000, size.of(25_000)), stem),
        capabilities: Array.from({ length: Math.min(100, size.of(500)) }, (_, n) => words(64, `${stem}${n}x`)),
      }),
    })),
  };
}

/** A text of at most `characters` characters whose words are all different. */
function words(characters: number, stem: string): string {
  const parts: string[] = [];
  for (let n = 0, left = characters; ; n += 1) {
    const word = `${stem}${n.toString(36)}`;
    left -= word.length + 1;
    if (left < 0) return parts.join(' ');
    parts.push(word);
  }
}

/** `head` and `end` of a body, between which the value of the member `path` is put. */
function around(path: string): [string, string] {
  const names = path.split('.');
  return [names.map((name) => `{"${name}":`).join(''), '}'.repeat(names.length)];
}

function ofMember(path: string, size: Size): HostileBody[] {
  const [head, end] = around(path);
  const bodies: [string, string][] = [
    ...['null', 'true', '7', '""', '{}', '[]', '[[]]', '[{}]'].map((value): [string, string] => [
      value,
      head + value + end,
    ]),
    ['empty objects', size.filled(`${head}[`, '{}', `]${end}`)],
    ['empty arrays', size.filled(`${head}[`, '[]', `]${end}`)],
    ['numbers', size.filled(`${head}[`, '0', `]${end}`)],
    ['empty texts', size.filled(`${head}[`, '""', `]${end}`)],
    ['nulls', size.filled(`${head}[`, 'null', `]${end}`)],
    ['as many objects as are counted', `${head}[${Array(size.of(900)).fill('{}').join()}]${end}`],
    ['as many objects with members', `${head}[${Array(size.of(450)).fill('{"a":0}').join()}]${end}`],
    [
      'as many objects in objects',
      `${head}[${Array(size.of(30))
        .fill(`${'{"a":'.repeat(28)}0${'}'.repeat(28)}`)
        .join()}]${end}`,
    ],
    [
      'as many texts',
      `${head}[${Array(size.of(900))
        .fill(`"${'x'.repeat(60)}"`)
        .join()}]${end}`,
    ],
    [
      'as many invisible texts',
      `${head}[${Array(size.of(900))
        .fill(`"${'\u200b'.repeat(20)}"`)
        .join()}]${end}`,
    ],
    ['as many members', `${head}{${Array.from({ length: size.of(900) }, (_, n) => `"${n}":0`).join()}}${end}`],
    ['amounts', size.filled(`${head}[`, '{"amount":"1","currency":"USDC"}', `]${end}`)],
    ['members', size.filled(`${head}{`, (n) => `"m${n}":0`, `}${end}`)],
    ['members with objects', size.filled(`${head}{`, (n) => `"m${n}":{}`, `}${end}`)],
    [
      'long texts',
      `${head}[${Array(size.of(20))
        .fill(`"${'x'.repeat(3_000)}"`)
        .join()}]${end}`,
    ],
    ...FILLINGS.map(([what, part]): [string, string] => [
      `a text of ${what}`,
      size.filled(`${head}"`, part, `"${end}`, ''),
    ]),
    ...BEGUN.map(([begin, part]): [string, string] => [
      `a text that begins with ${begin}`,
      size.filled(`${head}"${begin}`, part, `"${end}`, ''),
    ]),
  ];
  return bodies.map(([what, text]) => ({ what: `${path}: ${what}`, text }));
}

/** Bodies that fill every member at once and share the size among the members. */
function ofAllMembers(paths: readonly string[], size: Size): HostileBody[] {
  const outer = paths.filter((path) => !path.includes('.'));
  if (outer.length === 0) return [];
  const share = Math.floor(size.of(60_000) / outer.length);
  const body = (value: string) => `{${outer.map((name) => `"${name}":${value}`).join()}}`;
  return FILLINGS.map(([what, filling]) => {
    const times = Math.max(0, Math.floor((share - 40) / Buffer.byteLength(filling)));
    return { what: `every member: a text of ${what}`, text: body(`"${filling.repeat(times)}"`) };
  }).concat([
    { what: 'every member: null', text: body('null') },
    {
      what: 'every member: objects',
      text: body(
        `[${Array(Math.floor(size.of(900) / outer.length))
          .fill('{}')
          .join()}]`,
      ),
    },
  ]);
}
