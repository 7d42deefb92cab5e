import { anchorsOf, brokenCitations, brokenLinks, citingTexts, type Library, repository } from './citations.js';

const texts = citingTexts();

it('every page, anchor and path that the code and the pages cite is there', () => {
  expect(brokenCitations(texts, repository)).toEqual([]);
});

it('every relative link of every page leads somewhere', () => {
  const pages = texts.filter(({ path }) => path.endsWith('.md'));
  expect(brokenLinks(pages, repository)).toEqual([]);
});

it('the decisions are cited, and by every part of the code', () => {
  const citing = texts.filter(({ path, text }) => !path.endsWith('.md') && text.includes(`${decisions}/`));
  for (const part of ['src/platform/', 'src/modules/', 'libs/', 'test/']) {
    expect([part, citing.some(({ path }) => path.startsWith(part))]).toEqual([part, true]);
  }
});

/** The names are assembled here, because this file is itself searched for citations. */
const decisions = ['docs', 'decisions'].join('/');
const notes = ['lib', 'NOTES.md'].join('/');
const page = (name: string, anchor = ''): string => `${decisions}/${name}.${'md'}${anchor === '' ? '' : `#${anchor}`}`;

const PAGE = [
  '# Money',
  '',
  '## What `silence` means',
  '',
  '```',
  '## No heading',
  '```',
  '## What silence means',
  '',
].join('\n');
const made: Record<string, string> = { [page('money')]: PAGE, [notes]: '# Notes', 'src/money.ts': '' };
const library: Library = {
  names: (folder) => {
    const inside = Object.keys(made).flatMap((path) =>
      folder === '.' ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
    );
    return inside.map((path) => path.split('/')[0] ?? '');
  },
  hasFile: (ending) => Object.keys(made).some((path) => `/${path}`.endsWith(`/${ending}`)),
  page: (path) => made[path] ?? null,
};
const faults = (line: string, path = 'src/wallet/a.ts'): string[] =>
  brokenCitations([{ path, text: `\n${line}` }], library);
const linkFaults = (text: string, path = page('money')): string[] => brokenLinks([{ path, text }], library);

describe('of a made-up text', () => {
  it.each([
    `/** Who is silent pays (${page('money', 'what-silence-means')}). */`,
    `// rule: ${page('money')}`,
    ` * as ${notes} says, and src/money.ts does`,
    ' * rule: RFC 9728 §3.1',
    "const text = 'see §4.';",
    "const LEDGER = join(PROJECT, 'no-such.md');",
  ])('nothing is said of %s', (line) => {
    expect(faults(line)).toEqual([]);
  });

  it.each([
    [
      'an anchor that no heading has',
      `/** rule: ${page('money', 'what-silence-meant')} */`,
      'no heading #what-silence-meant',
    ],
    ['a heading inside a fence', `// ${page('money', 'no-heading')}`, 'no heading #no-heading'],
    ['a page that is not there', `// rule: ${page('moneys')}`, 'moneys.md, which is not in the repository'],
    ['a page of another place', `/** rule: ${['design', 'interface'].join('/')}.${'md'} */`, 'not in the repository'],
    ['a page, in a text of the program', `say('Bound: ${page('moneys')}');`, 'not in the repository'],
    ['a section by its number', ` * only grows, which keeps the bound of ${'§'}3.2 true`, 'section by its number'],
    ['what nobody can open', `// ${'the'} design asks for 0.75`, 'not in the repository'],
    ['a specification that is not here', `// ${'spec'}: Versioning, rule 2`, 'not in the repository'],
    ['a file that has moved', ` * as src/moved/money.${'ts'} does`, 'src/moved/money.ts, which is not there'],
    ['a file that has another name', ` * (moneys.${'ts'})`, 'moneys.ts, which is not there'],
  ])('%s is a fault, told with its line', (_what, line, said) => {
    const found = faults(line);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^src\/wallet\/a\.ts:2 /);
    expect(found[0]).toContain(said);
  });

  it('a link leads to a file, a folder or a heading, and is a fault where it does not', () => {
    expect(
      linkFaults('[a](money.md#what-silence-means-1) [b](../../src) [c](https://a.example/x.md) [d](#money)'),
    ).toEqual([]);
    expect(linkFaults('[a](moneys.md)')).toEqual([`${page('money')}:1 links to moneys.md, which is not there`]);
    expect(linkFaults('\n![a](money.md#silence)')).toEqual([
      `${page('money')}:2 cites money.md#silence: it has no heading #silence`,
    ]);
    expect(linkFaults('a [link\nover lines](moneys.md)')).toHaveLength(1);
    expect(linkFaults('[a](#silence)')).toHaveLength(1);
    expect(linkFaults(`[a](../../../${notes})`)).toHaveLength(1);
    expect(linkFaults('```\n[a](moneys.md)\n```')).toEqual([]);
  });

  it('anchors are those of the headings outside fences, numbered where they repeat', () => {
    expect([...anchorsOf(PAGE)]).toEqual(['money', 'what-silence-means', 'what-silence-means-1']);
  });
});
