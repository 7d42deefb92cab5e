import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type AssetName, asset, assetPath, findAsset } from './assets.js';

const WRITTEN: AssetName[] = ['style.css'];
/** What the build of the pages makes: `node src/dev/build.cjs`. */
const BUILT: AssetName[] = [
  'approval-fixtures.js',
  'approval.css',
  'approval.js',
  'deployment.js',
  'test-wallet.js',
  'wallet-sign-in.js',
];
const LOCAL = { isLocalChain: true };
const DEPLOYED = { isLocalChain: false };

/** Bytes that a person's browser loads for one page: with Brotli, which every browser takes over https. */
const LIMITS: readonly [page: string, limit: number, names: readonly AssetName[]][] = [
  ['the style of a page', 8 * 1024, ['style.css', 'approval.css']],
  ['the script to sign in', 6 * 1024, ['wallet-sign-in.js']],
  ['the script to approve', 35 * 1024, ['approval.js']],
];

it('every file of the folder is served, and nothing else', () => {
  expect(readdirSync(join(__dirname, 'public')).sort()).toEqual(WRITTEN);
  expect(findAsset(asset('style.css').hash, 'other.css', LOCAL)).toBeNull();
  expect(findAsset(asset('style.css').hash, '../assets.ts', LOCAL)).toBeNull();
  expect(findAsset(asset('style.css').hash, '__proto__', LOCAL)).toBeNull();
});

it.each(LIMITS)('%s is small', (_page, limit, names) => {
  const loaded = (compress: (bytes: Buffer) => Buffer): number =>
    names.reduce((sum, name) => sum + compress(asset(name).bytes).length, 0);
  expect(loaded((bytes) => brotliCompressSync(bytes))).toBeLessThanOrEqual(limit);
  // A browser that has only gzip loads little more.
  expect(loaded((bytes) => gzipSync(bytes))).toBeLessThanOrEqual(limit * 1.08);
});

it.each(['approval-fixtures.js', 'deployment.js', 'test-wallet.js'] as const)(
  '%s is served on a local chain only',
  (name) => {
    const { hash } = asset(name);
    expect(findAsset(hash, name, LOCAL)).toBe(asset(name));
    expect(findAsset(hash, name, DEPLOYED)).toBeNull();
  },
);

describe.each([...WRITTEN, ...BUILT])('%s', (name) => {
  it('lies under the hash of its content, and under no other', () => {
    const digest = createHash('sha256').update(asset(name).bytes).digest();
    expect(asset(name).hash).toBe(digest.toString('hex').slice(0, 32));
    expect(asset(name).integrity).toBe(`sha256-${digest.toString('base64')}`);
    expect(findAsset(asset(name).hash, name, LOCAL)).toBe(asset(name));
    expect(findAsset('0'.repeat(32), name, LOCAL)).toBeNull();
  });

  it('is found below the path of the base URL', () => {
    expect(assetPath('https://a.example', name)).toBe(`/assets/${asset(name).hash}/${name}`);
    expect(assetPath('https://a.example/market', name)).toBe(`/market/assets/${asset(name).hash}/${name}`);
  });

  it('loads nothing by itself, and runs no text', () => {
    const text = asset(name).bytes.toString('utf8');
    const loads =
      /@import|url\(|\bimport[\s({'"`*]+['"`]|\bimport\(|\beval\(|\bFunction\(|outerHTML\b|insertAdjacentHTML|document\.write/;
    expect(text.match(loads)).toBeNull();
    // Names of XML's own are addresses that nothing is loaded from, and so are those in the samples' links.
    if (name === 'approval-fixtures.js') return;
    expect(text.replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, '').match(/https?:\/\/\w/)).toBeNull();
  });
});

describe('approval.js', () => {
  const text = (): string => asset('approval.js').bytes.toString('utf8');

  it("makes no HTML from text: the one place is the library's, for a property that no source of ours gives", () => {
    expect(text().match(/srcdoc|DOMParser|createContextualFragment/)).toBeNull();
    expect(text().match(/\.innerHTML\s*=/g) ?? []).toHaveLength(1);
    const sources = sourcesOf(join(__dirname, '../../../web'));
    expect(sources.length).toBeGreaterThan(30);
    expect(sources.filter((source) => /innerHTML/i.test(source))).toEqual([]);
  });

  it('has nothing of the test wallet, of the samples, or of a server', () => {
    expect(text().match(/test-wallet|Demo Wallet|Sample Wallet|['"`]node:|process\.env|__dirname/)).toBeNull();
  });
});

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
