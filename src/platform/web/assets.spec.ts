import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type AssetName, asset, assetPath, findAsset } from './assets.js';

const NAMES: AssetName[] = ['style.css', 'wallet-sign-in.js'];

/** Bytes that a person's browser loads before it can sign in, compressed. */
const LIMITS: Record<AssetName, number> = { 'style.css': 8 * 1024, 'wallet-sign-in.js': 6 * 1024 };

it('every file of the folder is served, and nothing else', () => {
  expect(readdirSync(join(__dirname, 'public')).sort()).toEqual(NAMES);
  expect(findAsset(asset('style.css').hash, 'other.css')).toBeNull();
  expect(findAsset(asset('style.css').hash, '../assets.ts')).toBeNull();
  expect(findAsset(asset('style.css').hash, '__proto__')).toBeNull();
});

describe.each(NAMES)('%s', (name) => {
  it('is small', () => {
    expect(gzipSync(asset(name).bytes).length).toBeLessThan(LIMITS[name]);
  });

  it('lies under the hash of its content, and under no other', () => {
    const digest = createHash('sha256').update(asset(name).bytes).digest();
    expect(asset(name).hash).toBe(digest.toString('hex').slice(0, 32));
    expect(asset(name).integrity).toBe(`sha256-${digest.toString('base64')}`);
    expect(findAsset(asset(name).hash, name)).toBe(asset(name));
    expect(findAsset('0'.repeat(32), name)).toBeNull();
  });

  it('is found below the path of the base URL', () => {
    expect(assetPath('https://a.example', name)).toBe(`/assets/${asset(name).hash}/${name}`);
    expect(assetPath('https://a.example/market', name)).toBe(`/market/assets/${asset(name).hash}/${name}`);
  });

  it('loads nothing by itself', () => {
    const text = asset(name).bytes.toString('utf8');
    expect(text).not.toMatch(
      /@import|url\(|https?:\/\/|\bimport\b|\beval\b|innerHTML|outerHTML|insertAdjacentHTML|document\.write/,
    );
  });
});
