#!/usr/bin/env node
// Makes random histories of one escrow for the differential test: at every step the TypeScript model of the lifecycle
// says whether the call goes through, and with which custom error if not. Times often fall on deadlines, amounts on
// exact balances. Use: `node tools/histories.mjs --histories 10000 --seed 7 [--out folder] [--run]`, after a build of
// the repository; `--run` replays them with forge, `--commit` writes the small set of the default test run.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Interface } from 'ethers';
import {
  emptyTree,
  GIVEN_BACK_STATES,
  localUsdcAbi,
  nodeActionFacts,
  readNodeNonce,
  step,
  taskEscrowAbi,
} from '../../../../dist/libs/contracts/src/index.js';
import { forge } from './forge.mjs';
import { ESCROW, FACTORY, KINDS, makeCall, START } from './histories-calls.mjs';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const PER_FILE = 500;
const STEP_BYTES = 144;
const ACCOUNTS = 12;

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

/** A number as so many bytes. Throws RangeError on one that does not fit. */
function hex(value, bytes) {
  const text = BigInt(value).toString(16);
  if (BigInt(value) < 0n || text.length > bytes * 2) throw new RangeError(`${value} in ${bytes} bytes`);
  return text.padStart(bytes * 2, '0');
}

function authWords({ signer, intact, nonce, validUntil }) {
  return hex(signer ?? 255, 1) + hex(intact ? 1 : 0, 1) + hex(nonce, 32) + hex(validUntil, 5);
}

const NO_AUTH = { signer: 0, intact: false, nonce: 0n, validUntil: 0 };

/** The two authorisations of a call. A cancellation has none and leaves its word and mask in their nonces. */
function authsOf({ auth, hirerAuth, workerAuth, word, mask }) {
  if (word !== undefined) return [NO_AUTH, NO_AUTH].map((none, i) => ({ ...none, nonce: [word, mask][i] }));
  return [auth ?? hirerAuth ?? NO_AUTH, workerAuth ?? NO_AUTH];
}

/** One step as 144 bytes; DifferentialTest reads them at the same places. */
function stepWords(call, now, error) {
  const terms = call.terms ?? {};
  const text =
    hex(KINDS.indexOf(call.action), 1) +
    hex(now, 5) +
    hex(call.sender, 1) +
    hex(terms.path ?? call.path ?? 0, 24) +
    hex(terms.worker === null ? 255 : (terms.worker ?? call.account ?? 0), 1) +
    hex(terms.amount ?? call.amount ?? call.share ?? 0, 9) +
    hex(terms.floor ?? 0, 8) +
    hex(terms.workSeconds ?? 0, 4) +
    hex(terms.acceptWindow ?? 0, 3) +
    hex(terms.maxRevisions ?? 0, 1) +
    hex(terms.hirerFunded ? 1 : 0, 1) +
    hex(call.mode ?? 0, 1) +
    hex(call.recipient ?? 0, 1) +
    hex(call.artifact ?? 0, 1) +
    hex(call.payOut ? 1 : 0, 1) +
    authsOf(call).map(authWords).join('') +
    (error === null ? hex(0, 4) : selectors.get(error));
  if (text.length !== 2 * STEP_BYTES) throw new RangeError(`A step of ${text.length / 2} bytes`);
  return text;
}

/** What must be there at the end: nodes, refund balances, token balances, and which of the nonces in the calls are used. */
function endWords(tree, calls) {
  const nodes = tree.nodes.map((node) => nodeWords(tree, node));
  const accounts = Array.from({ length: ACCOUNTS }, (_, account) => account);
  const refunds = accounts.map((account) => hex(tree.refundOf.get(account) ?? 0n, 12));
  const balances = accounts.map((account) => hex(tree.token.balances.get(account) ?? 0n, 12));
  const used = calls.flatMap(({ sender, auth, hirerAuth, workerAuth }) =>
    [auth ?? hirerAuth, workerAuth]
      .filter((one) => one !== undefined)
      .map(({ signer, nonce }) => hex(isUsed(tree, signer ?? sender, nonce) ? 1 : 0, 1)),
  );
  return hex(nodes.length, 1) + nodes.join('') + refunds.join('') + balances.join('') + used.join('');
}

function nodeWords(tree, node) {
  const { path, state, price, share, withdrawn, clock, version, revisions, payOut } = node;
  const amount = GIVEN_BACK_STATES.includes(state) ? price : share - withdrawn;
  const { allocated } = nodeActionFacts(tree, node, 0);
  const money = hex(amount, 8) + hex(allocated, 8);
  return (
    hex(path, 24) + hex(state, 1) + money + hex(clock, 5) + hex(version, 1) + hex(revisions, 1) + hex(payOut ? 1 : 0, 1)
  );
}

/** Whether an action with this nonce can no longer run: it was cancelled, it was used, or its node has moved on. */
function isUsed(tree, account, nonce) {
  if (tree.usedNonces.has(`${account}:${nonce}`)) return true;
  const about = readNodeNonce(nonce);
  const node = about === null ? undefined : tree.nodes.find(({ path }) => path === about.path);
  return node !== undefined && node.version > about.version;
}

/** One history as hexadecimal text; counts in `tally` how its steps ended. */
function makeHistory(random, length, tally) {
  const hasArbiter = random(5) > 0;
  const funds = Array.from({ length: 7 }, () => [0n, 50_000_000n, 1_000_000_000n, 2_500_000_001n][random(4)]);
  funds[6] += 600_000_000n;
  const parties = { escrow: ESCROW, factory: FACTORY, buyer: 6, arbiter: hasArbiter ? 7 : null };
  let tree = emptyTree(parties, new Map(funds.map((amount, account) => [account, amount])));
  // About every twelfth history grows deep, down to the level limit of a tree.
  const market = { now: START, withdrawals: Array(9).fill(0), past: [], random, isDeep: random(12) === 0 };
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
  const body = head + text + endWords(tree, market.past);
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
