#!/usr/bin/env node
// Makes random histories of one escrow for the differential test: at every step the TypeScript model of the lifecycle
// says whether the call goes through, and with which custom error if not. Times often fall on deadlines, amounts on
// exact balances. Use: `node tools/histories.mjs --histories 10000 --seed 7 [--out folder] [--run]`, after a build of
// the repository; `--run` replays them with forge, `--commit` writes the small set of the default test run.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AbiCoder, Interface, keccak256 } from 'ethers';
import { emptyTree, localUsdcAbi, step, taskEscrowAbi } from '../../../../dist/libs/contracts/src/index.js';
import { forge } from './forge.mjs';
import { KINDS, makeCall, START } from './histories-calls.mjs';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const PER_FILE = 500;
const ACCOUNTS = 11;
/** The last account is the escrow; the one before only receives. */
const ESCROW = 10;

const selectors = new Map(
  [taskEscrowAbi, localUsdcAbi]
    .flatMap((abi) => new Interface(abi).fragments.filter(({ type }) => type === 'error'))
    .map((fragment) => [fragment.name, fragment.selector.slice(2)]),
);

/** Numbers below `n`, the same ones for the same seed (mulberry32). */
function randomness(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

const hex = (value, bytes) =>
  BigInt(value)
    .toString(16)
    .padStart(bytes * 2, '0');

function authWords(auth) {
  if (auth === undefined) return hex(0, 9);
  return hex(auth.signer ?? 255, 1) + hex(auth.intact ? 1 : 0, 1) + hex(auth.nonce, 2) + hex(auth.validUntil, 5);
}

/** One step as 64 bytes; DifferentialTest reads them at the same places. */
function stepWords(call, now, error) {
  const terms = call.terms ?? {};
  const text =
    hex(KINDS.indexOf(call.action), 1) +
    hex(now, 5) +
    hex(call.sender, 1) +
    hex(terms.number ?? call.number ?? call.word ?? 0, 4) +
    hex(terms.parentNumber ?? 0, 4) +
    hex(terms.worker === null ? 255 : (terms.worker ?? call.account ?? 0), 1) +
    hex(terms.amount ?? call.amount ?? call.share ?? call.mask ?? 0, 12) +
    hex(terms.acceptWindow ?? 0, 4) +
    hex(terms.deliverBy ?? 0, 5) +
    hex(terms.hirerFunded ? 1 : 0, 1) +
    hex(call.mode ?? 0, 1) +
    hex(call.recipient ?? 0, 1) +
    hex(call.artifact ?? 0, 1) +
    authWords(call.auth ?? call.hirerAuth) +
    authWords(call.workerAuth) +
    (error === null ? hex(0, 4) : selectors.get(error)) +
    hex(0, 1);
  if (text.length !== 128) throw new RangeError(`A step of ${text.length / 2} bytes`);
  return text;
}

/** What must be there at the end: nodes, refund balances, token balances, and the used nonces as one hash. */
function endWords(tree) {
  const nodes = tree.nodes.map(
    (n) => hex(n.number, 4) + hex(n.state, 1) + hex(n.pool, 12) + hex(n.allocated, 12) + hex(n.clock, 5),
  );
  const accounts = Array.from({ length: ACCOUNTS }, (_, account) => account);
  const refunds = accounts.map((account) => hex(tree.refundOf.get(account) ?? 0n, 12));
  const balances = accounts.map((account) => hex(tree.token.balances.get(account) ?? 0n, 12));
  const words = accounts.flatMap((account) => [0n, 1n].map((word) => usedWord(tree, account, word)));
  const nonces = keccak256(AbiCoder.defaultAbiCoder().encode([`uint256[${words.length}]`], [words]));
  return hex(nodes.length, 1) + nodes.join('') + refunds.join('') + balances.join('') + nonces.slice(2);
}

function usedWord(tree, account, word) {
  let bits = 0n;
  for (let bit = 0n; bit < 256n; bit += 1n) {
    if (tree.usedNonces.has(`${account}:${(word << 8n) | bit}`)) bits |= 1n << bit;
  }
  return bits;
}

/** One history as hexadecimal text; counts in `tally` how its steps ended. */
function makeHistory(random, length, tally) {
  const hasArbiter = random(5) > 0;
  const funds = Array.from({ length: 7 }, () => [0n, 50_000_000n, 1_000_000_000n, 2_500_000_001n][random(4)]);
  funds[6] += 600_000_000n;
  const parties = { escrow: ESCROW, buyer: 6, arbiter: hasArbiter ? 7 : null };
  let tree = emptyTree(parties, new Map(funds.map((amount, account) => [account, amount])));
  // About every twelfth history grows deep, down to the level limit of a tree.
  const market = { now: START, nonces: Array(9).fill(0), random, isDeep: random(12) === 0 };
  let text = '';
  for (let i = 0; i < length; i += 1) {
    const call = makeCall(tree, market);
    const result = step(tree, call, market.now);
    if (result.ok) tree = result.tree;
    const key = result.ok ? `${call.action}` : `${call.action} ${result.error}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
    text += stepWords(call, market.now, result.ok ? null : result.error);
  }
  const head = hex(hasArbiter ? 1 : 0, 1) + hex(length, 2) + funds.map((amount) => hex(amount, 12)).join('');
  const body = head + text + endWords(tree);
  return hex(body.length / 2, 4) + body;
}

function main() {
  const { values } = parseArgs({
    options: {
      histories: { type: 'string', default: '1000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
      steps: { type: 'string', default: '40' },
      out: { type: 'string', default: join(project, 'cache/histories') },
      run: { type: 'boolean', default: false },
      commit: { type: 'boolean', default: false },
    },
  });
  const [histories, seed, steps] = [Number(values.histories), Number(values.seed), Number(values.steps)];
  const tally = new Map();
  const random = randomness(seed);
  const out = values.commit ? join(project, 'test/vectors') : values.out;
  if (!values.commit) rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  let files = 0;
  for (let from = 0; from < histories; from += PER_FILE) {
    const count = Math.min(PER_FILE, histories - from);
    const chunk = Array.from({ length: count }, () => makeHistory(random, steps, tally));
    const name = values.commit ? 'histories.bin' : `histories-${files}.bin`;
    writeFileSync(join(out, name), Buffer.from(hex(count, 4) + chunk.join(''), 'hex'));
    files += 1;
  }
  const passed = [...tally].filter(([key]) => !key.includes(' ')).reduce((sum, [, count]) => sum + count, 0);
  process.stdout.write(`seed ${seed}: ${histories} histories, ${histories * steps} steps, ${passed} go through\n`);
  for (const [key, count] of [...tally].sort(([one], [other]) => one.localeCompare(other)))
    process.stdout.write(`${String(count).padStart(9)} ${key}\n`);
  if (!values.run) return;
  process.env.HISTORIES = relative(project, out);
  process.env.HISTORY_FILES = String(files);
  process.exit(forge(['test', '--match-path', 'test/differential/*', '-vv']));
}

main();
