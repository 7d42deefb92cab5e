import { randomInt } from 'node:crypto';
import { type EscrowFact, FundingMode, Outcome } from '../../../libs/contracts/src/index.js';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { untrueActions } from './allowed-actions.js';
import { leftovers } from './leftovers.js';
import { differences, escrowed, levels, missingMoney } from './outcome.js';
import {
  anyAction,
  childOffer,
  hireRoot,
  lateSignature,
  onChainOnly,
  publishTask,
  puppet,
  rootOffer,
  withdraw,
  workOn,
} from './market-moves.js';
import { brokenIn, brokenPromises } from './promises.js';
import { abuse, calm, fault, freeToken, mend, read, repeat, rush, token, travel } from './trouble.js';
import { overheard, untold } from './told.js';
import { Walk } from './walk.js';
import { windDown } from './wind-down.js';

const DEFAULT_SEED = 20_261_120;
const CALLS = Number(process.env.WALK_CALLS ?? 1_000);
const SAMPLE = 25;

const MOVES = {
  publishTask: [4, publishTask],
  rootOffer: [8, rootOffer],
  hireRoot: [12, hireRoot],
  childOffer: [16, childOffer],
  workOn: [36, workOn],
  anyAction: [3, anyAction],
  puppet: [2, puppet],
  withdraw: [3, withdraw],
  onChainOnly: [3, onChainOnly],
  lateSignature: [4, lateSignature],
  travel: [3, travel],
  fault: [2.5, fault],
  token: [1.5, token],
  read: [5, read],
  abuse: [7, abuse],
  repeat: [2, repeat],
  rush: [2, rush],
} as const;
const WEIGHTS = Object.fromEntries(Object.entries(MOVES).map(([name, [weight]]) => [name, weight])) as Record<
  keyof typeof MOVES,
  number
>;

const seeds =
  process.env.WALK_SEED === undefined ? [DEFAULT_SEED, randomInt(2 ** 31)] : [Number(process.env.WALK_SEED)];

describe('the check of promises', () => {
  const [ROOT, CHILD] = [1n, (1n << 24n) | 1n];
  const address: Hex = `0x${'1'.repeat(40)}`;
  const funded = (nodeId: bigint, amount: bigint, floor: bigint): EscrowFact => ({
    type: 'NodeFunded',
    nodeId,
    worker: address,
    payer: address,
    amount,
    floor,
    deliverBy: 1,
    acceptWindow: 1,
    maxRevisions: 0,
    hirerFunded: nodeId === ROOT,
    mode: nodeId === ROOT ? FundingMode.Allowance : FundingMode.ParentNode,
    termsHash: `0x${'0'.repeat(64)}`,
  });
  const settled = (nodeId: bigint, workerShare: bigint, hirerShare: bigint, outcome: Outcome): EscrowFact => ({
    type: 'NodeSettled',
    nodeId,
    workerShare,
    hirerShare,
    outcome,
  });
  const refunded = (nodeId: bigint, amount: bigint, outcome: Outcome): EscrowFact => ({
    type: 'NodeRefunded',
    nodeId,
    amount,
    outcome,
  });
  const hired = [funded(ROOT, 100n, 40n), funded(CHILD, 30n, 10n)];

  it.each<[string, EscrowFact[]]>([
    ['an acceptance', [settled(ROOT, 100n, 0n, Outcome.Accepted)]],
    [
      'a silent arbiter',
      [settled(CHILD, 10n, 20n, Outcome.RulingLapsed), settled(ROOT, 40n, 60n, Outcome.RulingLapsed)],
    ],
    ['a ruling for the hirer', [refunded(ROOT, 100n, Outcome.Ruled)]],
    ['nothing delivered', [refunded(ROOT, 100n, Outcome.NonDelivery)]],
  ])('lets %s pass', (_what, ends) => {
    expect(brokenIn([...hired, ...ends])).toEqual([]);
  });

  it.each<[string, EscrowFact[]]>([
    ['more to a worker than the floor when the arbiter is silent', [settled(ROOT, 50n, 50n, Outcome.RulingLapsed)]],
    ['less to a worker than the floor when the arbiter is silent', [refunded(ROOT, 100n, Outcome.RulingLapsed)]],
    ['less to a worker than it has promised', [settled(ROOT, 29n, 71n, Outcome.Ruled)]],
    ['less to a hirer than all where nothing was delivered', [settled(ROOT, 1n, 99n, Outcome.NonDelivery)]],
    ['less altogether than was paid in', [settled(ROOT, 99n, 0n, Outcome.Accepted)]],
    ['an end twice', [settled(CHILD, 30n, 0n, Outcome.Accepted), settled(CHILD, 30n, 0n, Outcome.Accepted)]],
    ['more promised than the floor', [funded(CHILD + 1n, 11n, 0n)]],
  ])('finds %s', (_what, facts) => {
    expect(brokenIn([...hired, ...facts])).toHaveLength(1);
  });
});

it.each(seeds)(
  'whatever people, puppets, wallets, time and faults do (WALK_SEED=%s), no money is lost, no promise is broken and HTTP tells what the chain holds',
  async (seed) => {
    const walk = await Walk.start(seed);
    try {
      while (walk.calls < CALLS) {
        const move = walk.random.weighted(WEIGHTS);
        walk.note(`-- ${move}`);
        await MOVES[move][1](walk);
        // A fault lasts only a few moves.
        if (walk.fault !== null && walk.random.chance(0.2)) await mend(walk);
        if (walk.tokenTrouble && walk.random.chance(0.08)) await freeToken(walk);
      }
      await mend(walk);
      await freeToken(walk);
      await calm(walk);
      const nodes = await levels(walk);
      process.stdout.write(`random-walk: WALK_SEED=${seed}: nodes by level ${nodes.join(' ')}; ${walk.summary()}\n`);
      // With less than this, the walk would not have crossed a market.
      expect(walk.counts.get('mined')).toBeGreaterThan(30);
      expect(nodes.length).toBeGreaterThan(1);
      expect(await missingMoney(walk)).toBe(0n);
      expect(await differences(walk)).toEqual([]);
      const { code, output } = await walk.market.reconcile();
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^equal/m) });
      await walk.market.chain.anvil.mine();
      await walk.market.indexed();
      expect(await untrueActions(walk, SAMPLE)).toEqual([]);
      expect(await untold(walk)).toEqual([]);
      expect(await overheard(walk)).toEqual([]);
      await windDown(walk);
      expect(await leftovers(walk)).toEqual([]);
      expect(await brokenPromises(walk)).toEqual([]);
      expect(await escrowed(walk)).toBe(0n);
      expect(await missingMoney(walk)).toBe(0n);
      expect(await differences(walk)).toEqual([]);
      expect(await untold(walk)).toEqual([]);
    } catch (error) {
      process.stdout.write(`random-walk: WALK_SEED=${seed}: ${walk.summary()}\n`);
      throw error;
    } finally {
      await walk.stop();
    }
  },
  900_000,
);
