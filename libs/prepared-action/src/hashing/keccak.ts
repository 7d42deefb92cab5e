/** Bytes that one permutation takes in: 1,600 bits of state without 512 of capacity. */
const RATE = 136;
const ROUNDS = 24;
const LANES = 25;

/** One lane's way through ρ and π: its place, its next place, and by how many bits it turns. */
const MOVES = movesOf();
/** What ι adds to the first lane in each round, low half and high half. rule: FIPS 202 §3.2.5. */
const ROUND_CONSTANTS = roundConstantsOf();

/** Keccak-256 as Ethereum has it: FIPS 202 with the padding that was there before the standard. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.floor(bytes.length / RATE + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80;
  const input = new DataView(padded.buffer);
  // A lane is two words, the low one first: word `i ^ 1` is the other half of word `i`.
  const state = new Uint32Array(LANES * 2);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 4; i++) state[i] = word(state, i) ^ input.getUint32(block + i * 4, true);
    permute(state);
  }
  const output = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) output.setUint32(i * 4, word(state, i), true);
  return new Uint8Array(output.buffer);
}

/** Keccak-f[1600]. rule: FIPS 202 §3.3. */
function permute(state: Uint32Array): void {
  const parity = new Uint32Array(10);
  const moved = new Uint32Array(LANES * 2);
  for (const [low, high] of ROUND_CONSTANTS) {
    // θ
    for (let i = 0; i < 10; i++) {
      parity[i] =
        word(state, i) ^ word(state, i + 10) ^ word(state, i + 20) ^ word(state, i + 30) ^ word(state, i + 40);
    }
    for (let i = 0; i < LANES * 2; i++) {
      state[i] = word(state, i) ^ word(parity, (i + 8) % 10) ^ turned(parity, (i + 2) % 10, 1);
    }
    // ρ and π
    moved.set(state.subarray(0, 2));
    for (const { from, to, by } of MOVES) {
      const half = by > 31 ? 1 : 0;
      moved[to * 2] = turned(state, (from * 2) ^ half, by);
      moved[to * 2 + 1] = turned(state, (from * 2 + 1) ^ half, by);
    }
    // χ
    for (let i = 0; i < LANES * 2; i++) {
      const row = i - (i % 10);
      state[i] = word(moved, i) ^ (~word(moved, row + ((i + 2) % 10)) & word(moved, row + ((i + 4) % 10)));
    }
    // ι
    state[0] = word(state, 0) ^ low;
    state[1] = word(state, 1) ^ high;
  }
}

function movesOf(): { from: number; to: number; by: number }[] {
  let x = 1;
  let y = 0;
  return Array.from({ length: LANES - 1 }, (_, t) => {
    const from = x + 5 * y;
    [x, y] = [y, (2 * x + 3 * y) % 5];
    return { from, to: x + 5 * y, by: (((t + 1) * (t + 2)) / 2) % 64 };
  });
}

/** Bits 2^j - 1 of each constant are the next seven of a shift register (x^8 + x^6 + x^5 + x^4 + 1). */
function roundConstantsOf(): (readonly [low: number, high: number])[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    const halves: [low: number, high: number] = [0, 0];
    for (let j = 0; j < 7; j++) {
      halves[j === 6 ? 1 : 0] |= (register & 1) << (2 ** j - 1);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    return halves;
  });
}

/** Half of a lane after a turn to the left; shifts count modulo 32. */
function turned(words: Uint32Array, i: number, by: number): number {
  return (word(words, i) << by) | (word(words, i ^ 1) >>> (32 - by));
}

function word(words: Uint32Array, i: number): number {
  return words[i] ?? 0;
}
