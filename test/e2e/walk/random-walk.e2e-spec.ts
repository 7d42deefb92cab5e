import { randomInt } from 'node:crypto';
import { untrueActions } from '../../support/walk/allowed-actions.js';
import { leftovers } from '../../support/walk/leftovers.js';
import { differences, escrowed, levels, missingMoney } from '../../support/walk/outcome.js';
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
} from '../../support/walk/market-moves.js';
import { brokenPromises } from '../../support/walk/promises.js';
import { abuse, calm, fault, freeToken, mend, read, repeat, rush, token, travel } from '../../support/walk/trouble.js';
import { Walk } from '../../support/walk/walk.js';
import { windDown } from '../../support/walk/wind-down.js';

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
      await windDown(walk);
      expect(await leftovers(walk)).toEqual([]);
      expect(await brokenPromises(walk)).toEqual([]);
      expect(await escrowed(walk)).toBe(0n);
      expect(await missingMoney(walk)).toBe(0n);
      expect(await differences(walk)).toEqual([]);
    } catch (error) {
      process.stdout.write(`random-walk: WALK_SEED=${seed}: ${walk.summary()}\n`);
      throw error;
    } finally {
      await walk.stop();
    }
  },
  900_000,
);
