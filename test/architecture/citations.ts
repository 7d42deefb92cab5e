import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './source-files.js';

/** A text, and its path from the root of the repository, with `/` as separator. */
export interface CitingText {
  path: string;
  text: string;
}

/** What citations are looked up in. */
export interface Library {
  /** The names in a folder, given by its path from the root (`.`); none when the folder does not exist. */
  names(folder: string): readonly string[];
  /** True when some file's path ends with this name, or with these last segments of a path. */
  hasFile(ending: string): boolean;
  /** The text of a page, or null when there is no such page. */
  page(path: string): string | null;
}

const FOLDERS = ['src', 'libs', 'test', 'docs', '.ci'];
const SINGLE_FILES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', '.env.example'];
const TEXTS = /\.(?:ts|tsx|mjs|cjs|js|sol|md|css|toml|sh)$|^[^.]+$/;
const NOT_OURS = /^(?:node_modules|dist|generated|out(?:-.*)?|cache(?:-.*)?)$/;

/** Matches the name of a page, and the anchor after it if there is one. */
const PAGE = /(?<![\w/.-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?:#([\w-]+))?/g;
/** Files that the program writes are not pages of the repository. */
const WRITTEN = /^\.tasktree\//;
/** Matches the name of a source file, or the last segments of its path. */
const FILE = /(?<![\w/.@*…-])(?:\.{1,2}\/)*((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|tsx|sol|mjs|cjs))(?![\w/])/g;
/** Matches a path that begins at the root. */
const PATH = /(?<![\w/.@-])((?:src|libs|test|docs)\/[\w./-]*\w)/g;
const LINK = /\[(?:[^\][]|\[[^\]]*\])*\]\(([^)\s]+)\)/g;
const ELSEWHERE = /^[a-z]+:/;
const COMMENT = /^\s*(?:\/\/|\/?\*)|\/\*\*/;
/** Published standards and books may be cited by section; pages of this repository must be cited by anchor. */
const STANDARD = /\b(?:RFC|FIPS|EIP|ERC|TAOCP)\b/;
const SECTION = /§\s?\d/;
/** Matches citations of pages that are outside the repository, so that no reader can open them. */
const OUTSIDE = /\bthe design\b|\bspec: [A-Z]/i;

/** Every text that may cite a page. */
export function citingTexts(): CitingText[] {
  return [...FOLDERS.flatMap((folder) => [...walk(folder)]), ...SINGLE_FILES].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}

const allFiles = [...FOLDERS.flatMap((folder) => [...walk(folder)]), ...readdirSync(ROOT)];

/** The repository on disk. */
export const repository: Library = {
  hasFile: (ending) => allFiles.some((path) => path === ending || path.endsWith(`/${ending}`)),
  names: (folder) => (existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)) : []),
  page: (path) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : null),
};

/** Every citation in these texts that does not resolve, as `path:line what is wrong`. */
export function brokenCitations(texts: readonly CitingText[], library: Library): string[] {
  return texts.flatMap(({ path, text }) =>
    (path.endsWith('.md') ? withoutLinks(text) : text)
      .split('\n')
      .flatMap((line, index) => faultsOfLine(path, line, library).map((f) => `${path}:${index + 1} ${f}`)),
  );
}

/** Every link of these pages that does not resolve, in the same form. */
export function brokenLinks(pages: readonly CitingText[], library: Library): string[] {
  return pages.flatMap(({ path, text }) => {
    const whole = prose(text).join('\n');
    return [...whole.matchAll(LINK)].flatMap(({ index, 1: target = '' }) => {
      const fault = ELSEWHERE.test(target) ? null : faultOfLink(path, target, library);
      return fault === null ? [] : [`${path}:${whole.slice(0, index).split('\n').length} ${fault}`];
    });
  });
}

/** The anchors of a page's headings, as GitHub and Forgejo make them. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of prose(page)) {
    const title = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (title === undefined) continue;
    const plain = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function faultsOfLine(path: string, line: string, library: Library): string[] {
  const isProse = path.endsWith('.md') || COMMENT.test(line);
  const pages = [...line.matchAll(PAGE)]
    .filter(([, page = '']) => !WRITTEN.test(page) && (isProse || page.includes('/')))
    .flatMap(([, page = '', anchor]) => faultOfPage(path, page, anchor, library) ?? []);
  if (!isProse) return pages;
  const paths = [...line.matchAll(PATH)].flatMap(([, named = '']) =>
    named.endsWith('.md') || isThere(path, named, library) ? [] : [named],
  );
  const files = [...line.matchAll(FILE)].flatMap(([, named = '']) => (library.hasFile(named) ? [] : [named]));
  const missing = [...new Set([...paths, ...files])].map((named) => `names ${named}, which is not there`);
  const sections = SECTION.test(line) && !STANDARD.test(line) ? ['cites a section by its number'] : [];
  const outside = OUTSIDE.test(line) ? ['cites a page that is not in the repository'] : [];
  return [...pages, ...missing, ...sections, ...outside];
}

function faultOfPage(from: string, page: string, anchor: string | undefined, library: Library): string | null {
  const text = foldersAbove(from).reduce<string | null>(
    (found, folder) => found ?? library.page(posix.join(folder, page)),
    null,
  );
  if (text === null) return `cites ${page}, which is not in the repository`;
  return anchor === undefined || anchorsOf(text).has(anchor) ? null : noAnchor(page, anchor);
}

/** True when the path exists. A path without the file's extension matches every file whose name begins so. */
function isThere(from: string, named: string, library: Library): boolean {
  const begins = `${posix.basename(named)}.`;
  return foldersAbove(from).some((folder) =>
    library.names(posix.dirname(posix.join(folder, named))).some((name) => `${name}.`.startsWith(begins)),
  );
}

/** The folders from which a page or path may be named: the root and every folder above the text that names it. */
function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)];
}

function faultOfLink(from: string, target: string, library: Library): string | null {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : posix.join(posix.dirname(from), decodeURIComponent(file)).replace(/\/$/, '');
  if (!library.names(posix.dirname(path)).includes(posix.basename(path)))
    return `links to ${target}, which is not there`;
  if (anchor === undefined) return null;
  const text = path.endsWith('.md') ? library.page(path) : null;
  return text !== null && anchorsOf(text).has(anchor) ? null : noAnchor(target, anchor);
}

function noAnchor(page: string, anchor: string): string {
  return `cites ${page}: it has no heading #${anchor}`;
}

/** The page with its links blanked out and the same number of lines. `brokenLinks` checks the links. */
function withoutLinks(page: string): string {
  return page.replace(LINK, (link) => link.replace(/[^\n]/g, ''));
}

/** The lines of a page, with those inside code fences emptied. */
function prose(page: string): string[] {
  let fenced = false;
  return page.split('\n').map((line) => {
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
      return '';
    }
    return fenced ? '' : line;
  });
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    if (NOT_OURS.test(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(path);
    else if (TEXTS.test(entry.name)) yield path;
  }
}
