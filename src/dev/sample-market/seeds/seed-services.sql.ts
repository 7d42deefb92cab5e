/**
 * Whether the index has reached the block with the number $1 and the hash $2, has no other of that number, and has
 * published all trees up to it.
 */
export const IS_INDEXED = `SELECT coalesce(max(number), -1) >= $1
              AND NOT EXISTS (SELECT 1 FROM chain_blocks WHERE number = $1 AND hash <> $2)
              AND NOT EXISTS (SELECT 1 FROM unpublished_trees WHERE attempts = 0 AND block_number <= $1) AS indexed
       FROM chain_blocks`;
