const BLOCK = 64;
const WORDS = 64;

const PRIMES = Array.from({ length: 312 }, (_, number) => number).filter(isPrime);
/** rule: FIPS 180-4 §5.3.3. */
const START = PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2n));
/** rule: FIPS 180-4 §4.2.2. */
const ROUND_CONSTANTS = PRIMES.map((prime) => rootBits(prime, 3n));

/** SHA-256. rule: FIPS 180-4 §6.2. Synchronous, which the browser's own is not. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  const input = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  input.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const hash = Uint32Array.from(START);
  for (let block = 0; block < padded.length; block += BLOCK) compress(hash, input, block);
  const output = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => output.setUint32(i * 4, word));
  return new Uint8Array(output.buffer);
}

function compress(hash: Uint32Array, input: DataView, block: number): void {
  const words = new Uint32Array(WORDS);
  const word = (i: number): number => words[i] ?? 0;
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < WORDS; i++) {
    words[i] =
      i < 16
        ? input.getUint32(block + i * 4)
        : word(i - 16) + mixed(word(i - 15), 7, 18, 3, true) + word(i - 7) + mixed(word(i - 2), 17, 19, 10, true);
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = h + mixed(e, 6, 11, 25) + choice + (ROUND_CONSTANTS[i] ?? 0) + word(i);
    const second = mixed(a, 2, 13, 22) + majority;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    hash[i] = (hash[i] ?? 0) + value;
  });
}

/** XOR of a word turned right by three distances; with `shifts`, the last one is a shift instead of a turn. */
function mixed(word: number, one: number, two: number, three: number, shifts = false): number {
  const turned = (by: number): number => (word >>> by) | (word << (32 - by));
  return turned(one) ^ turned(two) ^ (shifts ? word >>> three : turned(three));
}

/** The first 32 bits of the fraction of a prime's root, computed exactly with integers. */
function rootBits(prime: number, degree: bigint): number {
  const power = BigInt(prime) << (32n * degree);
  let root = 0n;
  for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) {
    if ((root + bit) ** degree <= power) root += bit;
  }
  return Number(root & 0xffff_ffffn);
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) return false;
  }
  return number > 1;
}
