import { BYTES32_PATTERN, type Hex } from '#libs/notation';
import { MATCH_WORDS } from './match-words.js';

/**
 * Two words and two digits of a digest, such as "OLIVE TIGER 42": 1,024 · 1,024 · 100 codes (26.6 bits), so that a
 * person can see that the page and the chat speak of the same request. It guards against mix-ups, not against
 * attackers: whoever can make requests can search for one with the same code. Throws TypeError on what is not a digest.
 */
export function matchCode(digest: Hex): string {
  if (!BYTES32_PATTERN.test(digest)) throw new TypeError('Not a digest');
  const bits = BigInt(digest);
  const [first, second] = [(bits >> 246n) & 1023n, (bits >> 236n) & 1023n].map((at) => MATCH_WORDS[Number(at)] ?? '');
  // 64 bits into 100 values: none is more than one part in 10^17 more likely than another.
  const number = ((bits >> 172n) & 0xffff_ffff_ffff_ffffn) % 100n;
  return `${first} ${second} ${number.toString().padStart(2, '0')}`.toUpperCase();
}
