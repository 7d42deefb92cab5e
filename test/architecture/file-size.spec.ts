import { programFiles, sourceFiles } from './source-files.js';

const MAX_LINES = 300;
const MAX_TEST_LINES = 500;

/** The number of lines that are neither blank nor comment. */
function linesOf(text: string): number {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}

/** Migrations are left out, because they are never edited once released. */
const program = () => programFiles().filter(({ path }) => !path.startsWith('src/migrations/'));

it(`no file of the program has more than ${MAX_LINES} lines`, () => {
  expect(
    program()
      .filter(({ text }) => linesOf(text) > MAX_LINES)
      .map(({ path }) => path),
  ).toEqual([]);
});

it(`no test file has more than ${MAX_TEST_LINES} lines`, () => {
  const tests = sourceFiles(['src', 'libs', 'test'], (path) => path.endsWith('spec.ts'));
  expect(tests.filter(({ text }) => linesOf(text) > MAX_TEST_LINES).map(({ path }) => path)).toEqual([]);
});

it('half of the files have at most 70 lines, and nine of ten at most 180', () => {
  const sizes = program()
    .map(({ text }) => linesOf(text))
    .sort((a, b) => a - b);
  expect(sizes[Math.floor(sizes.length * 0.5)]).toBeLessThanOrEqual(70);
  expect(sizes[Math.floor(sizes.length * 0.9)]).toBeLessThanOrEqual(180);
});

it('no file is named after nothing in particular', () => {
  const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|manager|base)(?:\.|\/)/;
  expect(
    programFiles()
      .map(({ path }) => path)
      .filter((path) => vague.test(path)),
  ).toEqual([]);
});
