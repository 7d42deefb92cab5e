import { LOCAL_CHAIN_ID } from '../local-chain/anvil.js';
import type { DeployedContracts } from '../local-chain/deploy-contracts.js';
import { LocalChain } from '../local-chain/local-chain.js';
import type { LocalAccount } from '../market-folder/local-file.js';
import { ActionSigner } from './seeds/action-signer.js';
import { SeedServices } from './seeds/seed-services.js';
import { ARBITER, BUYERS, OWNERS } from './seeds/seed-accounts.js';
import type { Participant } from './seeds/participant.js';
import { localAccount, settle } from './seed-participants.js';
import { ScenarioContext, type Scenario } from './scenarios/scenario-context.js';
import {
  curatedTask,
  deliveredTask,
  disputedTask,
  draftTask,
  fundedTask,
  openTask,
  rejectedTask,
  selectedTask,
} from './scenarios/scenarios-live.js';
import { abandoned, notDelivered, rejectionFinal } from './scenarios/scenarios-refunded.js';
import {
  acceptedAndPaid,
  acceptedBySilence,
  agreedSplit,
  ruled,
  rulingLapsed,
  secondTranslation,
} from './scenarios/scenarios-released.js';
import { cancelledTask, expiredTask, fundingPendingTask } from './scenarios/scenarios-waiting.js';
import { threeLevelTree } from './scenarios/scenarios-tree.js';
import { Timeline } from './seeds/timeline.js';

/** How long ago the sample market's history begins. */
export const HISTORY_DAYS = 60;

const DAY_SECONDS = 86_400;

const SCENARIOS: readonly Scenario[] = [
  acceptedAndPaid,
  acceptedBySilence,
  ruled,
  rulingLapsed,
  agreedSplit,
  secondTranslation,
  notDelivered,
  rejectionFinal,
  abandoned,
  draftTask,
  openTask,
  curatedTask,
  selectedTask,
  fundedTask,
  deliveredTask,
  rejectedTask,
  disputedTask,
  threeLevelTree,
  cancelledTask,
  expiredTask,
  fundingPendingTask,
];

export interface SampleMarket {
  accounts: LocalAccount[];
  tasks: number;
  transactions: number;
}

/**
 * Runs the sample market's sixty days on the real chain with the service's own code. Every lifecycle field that the
 * service shows afterwards comes from a mined transaction. The running service indexes meanwhile.
 * @param opens unix seconds at which the scenarios end. Afterwards the chain's clock is set to the present.
 */
export async function seedSampleMarket(
  variables: Readonly<Record<string, string>>,
  rpcUrl: string,
  contracts: DeployedContracts,
  opens: number,
): Promise<SampleMarket> {
  const chain = new LocalChain(rpcUrl);
  const services = await SeedServices.open(variables);
  try {
    let now = opens - HISTORY_DAYS * DAY_SECONDS;
    chain.followClock(() => now);
    services.setTime(() => now * 1000);
    const people = await participantsOf(services, chain, contracts.usdc);
    const signer = new ActionSigner(services, { chainId: LOCAL_CHAIN_ID, usdc: contracts.usdc });
    const context = new ScenarioContext(
      services,
      { chain, signer, ...contracts },
      [...people.buyers, ...people.owners],
      people.arbiter,
      opens,
    );
    const timeline = new Timeline((seconds) => (now = seconds));
    await timeline.run(SCENARIOS.map((scenario) => (at) => scenario(context, at)));
    // Seeding takes a while, so the chain's clock must catch up with the present.
    await chain.returnTo(Math.floor(Date.now() / 1000));
    services.setTime(() => opens * 1000);
    const accounts: LocalAccount[] = [];
    for (const one of [...people.buyers, ...people.owners, people.arbiter])
      accounts.push(await localAccount(services, one));
    await services.indexed(chain.lastBlock);
    await services.settle();
    return { accounts, tasks: SCENARIOS.length, transactions: chain.transactionsSent };
  } finally {
    chain.close();
    await services.close();
  }
}

async function participantsOf(
  services: SeedServices,
  chain: LocalChain,
  usdc: string,
): Promise<{ buyers: Participant[]; owners: Participant[]; arbiter: Participant }> {
  const everybody: Participant[] = [];
  for (const member of [...BUYERS, ...OWNERS, ARBITER]) everybody.push(await settle(services, chain, usdc, member));
  const [arbiter] = everybody.splice(-1);
  if (!arbiter) throw new Error('The seed accounts have no arbiter');
  return { buyers: everybody.slice(0, BUYERS.length), owners: everybody.slice(BUYERS.length), arbiter };
}
