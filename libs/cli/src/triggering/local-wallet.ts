import { createECDH } from 'node:crypto';
import { hashTypedData, type Hex } from '#libs/prepared-action';
import type { Eip1193Wallet } from '#libs/sdk';

/** Order of secp256k1 (SEC 2). */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const WORD = 64;

/**
 * A wallet of the local market: it signs with the key of the market's own file, and the local chain sends for it. Keys of
 * that file are good for nothing else, so they need no better keeping.
 * @param ask asks the local chain.
 */
export function localWallet(
  address: string,
  key: string,
  ask: (method: string, params: readonly unknown[]) => Promise<unknown>,
): Eip1193Wallet {
  return {
    request: async ({ method, params = [] }) => {
      const given = params as readonly unknown[];
      if (method === 'eth_requestAccounts') return [address];
      if (method === 'eth_signTypedData_v4') {
        return signDigest(hashTypedData(JSON.parse(given[1] as string)).digest, key);
      }
      // anvil sends for whom it impersonates; no other chain knows this, so nothing is sent elsewhere.
      if (method === 'eth_sendTransaction') await ask('anvil_impersonateAccount', [address]);
      return ask(method, given);
    },
  };
}

/** An ECDSA signature of 32 bytes, as wallets write it: r, s in its lower half, and 27 or 28. */
export function signDigest(digest: Hex, key: string): Hex {
  for (;;) {
    const once = createECDH('secp256k1');
    once.generateKeys();
    const k = BigInt(`0x${once.getPrivateKey('hex')}`);
    const point = once.getPublicKey();
    const x = BigInt(`0x${point.subarray(1, 33).toString('hex')}`);
    const r = x % N;
    const s = (inverse(k) * (BigInt(digest) + r * BigInt(key))) % N;
    if (x >= N || r === 0n || s === 0n) continue;
    const isOdd = ((point.at(-1) ?? 0) & 1) === 1;
    const isHigh = s > N / 2n;
    return `0x${word(r)}${word(isHigh ? N - s : s)}${isOdd === isHigh ? '1b' : '1c'}`;
  }
}

/** By Fermat: `N` is prime. */
function inverse(value: bigint): bigint {
  let [result, base] = [1n, value % N];
  for (let exponent = N - 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = (result * base) % N;
    base = (base * base) % N;
  }
  return result;
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD, '0');
}
