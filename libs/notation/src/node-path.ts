/*
 * The id of a node on chain is its path from the top of the tree: the parent's id, shifted by 24 bits, and an index from
 * 1 on below it. 192 bits hold eight levels. 0 stands for the buyer, who is above all nodes.
 */

const INDEX_BITS = 24n;
const INDEX_MASK = (1n << INDEX_BITS) - 1n;
/** A decimal index without a leading zero; eight digits are enough for 24 bits. */
const INDEX_TEXT = /^[1-9][0-9]{0,7}$/;

/** Levels that a tree may have (NodeLedger.sol, `MAX_DEPTH`); a node of the buyer is on level 1. */
export const MAX_LEVELS = 8;
/** The greatest index of a node below its parent. */
export const MAX_NODE_INDEX = Number(INDEX_MASK);

/** True when a node can have this id: one to eight indexes, none of them 0. */
export function isNodePath(path: bigint): boolean {
  if (path <= 0n) return false;
  let level = 0;
  for (let rest = path; rest !== 0n; rest >>= INDEX_BITS) {
    level += 1;
    if (level > MAX_LEVELS || (rest & INDEX_MASK) === 0n) return false;
  }
  return true;
}

/**
 * The id of the node with this index (1 … 2^24 − 1) below a parent; `parent` 0 is the buyer. Throws RangeError when the
 * parent is no path, the index is out of range, or the parent is on the lowest level.
 */
export function childPath(parent: bigint, index: number): bigint {
  const fits = Number.isInteger(index) && index >= 1 && index <= MAX_NODE_INDEX;
  const path = fits && parent >= 0n ? (parent << INDEX_BITS) | BigInt(index) : 0n;
  if (!isNodePath(path)) throw new RangeError('No node has this place in a tree');
  return path;
}

/** The id of the node above; 0 for a node of the buyer. */
export function parentPath(path: bigint): bigint {
  return path >> INDEX_BITS;
}

/** True for a node of the buyer, which is below no other. */
export function isRootPath(path: bigint): boolean {
  return parentPath(path) === 0n;
}

/** The index of a node below its parent, 1 … 2^24 − 1 for every path. */
export function pathIndex(path: bigint): number {
  return Number(path & INDEX_MASK);
}

/** The level that a node is on, from 1 on; 0 for the buyer. */
export function pathLevel(path: bigint): number {
  let level = 0;
  for (let rest = path; rest > 0n; rest >>= INDEX_BITS) level += 1;
  return level;
}

/** A path as the interface writes it: its indexes from the top, such as `1-2-1`. Throws RangeError when it is none. */
export function pathText(path: bigint): string {
  if (!isNodePath(path)) throw new RangeError('Not the path of a node');
  const indexes: number[] = [];
  for (let rest = path; rest !== 0n; rest = parentPath(rest)) indexes.unshift(pathIndex(rest));
  return indexes.join('-');
}

/** The path that `pathText` wrote so; null for any other text, so that a node has one text only. */
export function readPathText(text: string): bigint | null {
  const indexes = text.split('-');
  if (indexes.length > MAX_LEVELS) return null;
  let path = 0n;
  for (const index of indexes) {
    if (!INDEX_TEXT.test(index) || Number(index) > MAX_NODE_INDEX) return null;
    path = childPath(path, Number(index));
  }
  return path;
}
