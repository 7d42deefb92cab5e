import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPath } from './public-path.js';

/** Every file that a page of ours may load; nothing else is served, and nothing comes from another origin. */
const MEDIA_TYPES = {
  'approval-fixtures.js': 'text/javascript; charset=utf-8',
  'approval.css': 'text/css; charset=utf-8',
  'approval.js': 'text/javascript; charset=utf-8',
  'deployment.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'test-wallet.js': 'text/javascript; charset=utf-8',
  'wallet-sign-in.js': 'text/javascript; charset=utf-8',
} as const;

/** Files that no page of a deployed service loads; it does not serve them. */
const LOCAL_ONLY: readonly AssetName[] = ['approval-fixtures.js', 'deployment.js', 'test-wallet.js'];

export type AssetName = keyof typeof MEDIA_TYPES;

/** A file as it is served. */
export interface Asset {
  bytes: Buffer;
  mediaType: string;
  /** First 128 bits of the SHA-256, hexadecimal: another text has another address, so browsers may keep it for ever. */
  hash: string;
  /** For the `integrity` of the element that loads it (Subresource Integrity). */
  integrity: string;
}

/** The root of the build for a file of `dist/service` (where this one is part of a bundle), of `dist/src` and of `src`. */
const BUILDS = ['../', '../../../../', '../../../../dist/'];

/**
 * What the build of the pages makes (vite.config.ts), and files as they are written. In this order, because an older
 * `dist/src` keeps copies of files that have since become part of the build.
 */
const FOLDERS = [...BUILDS.map((build) => `${build}web/`), './public/', '../src/platform/pages/assets/public/'].map(
  (folder) => fileURLToPath(new URL(folder, import.meta.url)),
);
const HASH_DIGITS = 32;

const known = new Map<AssetName, Asset>();

/** The file with this name; read once per process. */
export function asset(name: AssetName): Asset {
  const before = known.get(name);
  if (before) return before;
  const folder = FOLDERS.find((place) => existsSync(join(place, name)));
  if (folder === undefined)
    throw new Error(`The pages are not built (${name} is missing): run \`npm run build\` first`);
  const bytes = readFileSync(join(folder, name));
  const digest = createHash('sha256').update(bytes).digest();
  const read: Asset = {
    bytes,
    mediaType: MEDIA_TYPES[name],
    hash: digest.toString('hex').slice(0, HASH_DIGITS),
    integrity: `sha256-${digest.toString('base64')}`,
  };
  known.set(name, read);
  return read;
}

/** The file at `/assets/{hash}/{name}`; null for any other name or hash, and away from a local chain for its tools. */
export function findAsset(hash: string, name: string, { isLocalChain }: { isLocalChain: boolean }): Asset | null {
  if (!isAssetName(name) || (LOCAL_ONLY.includes(name) && !isLocalChain)) return null;
  const found = asset(name);
  return found.hash === hash ? found : null;
}

/** The path under which browsers load the file. */
export function assetPath(baseUrl: string, name: AssetName): string {
  return publicPath(baseUrl, `/assets/${asset(name).hash}/${name}`);
}

function isAssetName(name: string): name is AssetName {
  return Object.hasOwn(MEDIA_TYPES, name);
}
