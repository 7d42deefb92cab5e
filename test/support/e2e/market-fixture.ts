import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { Wallet } from 'ethers';
import { nodeIdOf } from '#libs/kernel';
import { LOCAL_CHAIN_ID } from '../../../src/dev/local-chain/anvil.js';
import { LocalChain, type Mined } from '../../../src/dev/local-chain/local-chain.js';
import type { LocalAccount, LocalFile } from '../../../src/dev/market-folder/local-file.js';
import { localSecrets } from '../../../src/dev/market-folder/local-secrets.js';
import { serviceVariables } from '../../../src/dev/local-market/local-service.js';
import { ActionSigner } from '../../../src/dev/sample-market/seeds/action-signer.js';
import { SeedServices } from '../../../src/dev/sample-market/seeds/seed-services.js';
import { Hiring, type Offer, type OfferTerms } from '../../../src/dev/sample-market/seeds/hiring.js';
import { agentOf, type Participant } from '../../../src/dev/sample-market/seeds/participant.js';
import { localAccount } from '../../../src/dev/sample-market/seed-participants.js';
import { TaskTree } from '../../../src/dev/sample-market/seeds/task-tree.js';
import { MarketFolder } from '../../../src/dev/market-folder/market-folder.js';
import type { TaskDraft } from '../../../src/modules/tasks/task-drafts.js';
import { localMarket } from '../market.js';

const DAY_SECONDS = 86_400;
const USDC = 1_000_000n;
const WEI_EACH = 10n ** 19n;
const USDC_EACH = 100_000n * USDC;

/** A person whom only this spec file knows, with account, keys and wallet. */
export interface Person extends LocalAccount {
  participant: Participant;
}

export interface OwnTask {
  id: string;
  tree: TaskTree;
  hiring: Hiring;
}

export interface OwnNode {
  task: OwnTask;
  id: string;
  /** In its tree. */
  path: bigint;
  /** Base units. */
  amount: bigint;
  offer: Offer;
}

/** The folder in which the shared market keeps its files. */
export function marketFolder(): string {
  return dirname(process.env.TEST_MARKET_FILE!);
}

/** The secret with which the market's service seals. */
export function marketSecret(): string {
  return localSecrets(new MarketFolder(marketFolder())).app_secret;
}

/**
 * People and tasks of one spec file in the market that all spec files share, made by the service's code and mined on
 * its chain. Spec files run in parallel, so each relays with its own wallet and never shares a nonce.
 */
export class MarketFixture {
  private constructor(
    readonly market: LocalFile,
    readonly services: SeedServices,
    readonly chain: LocalChain,
  ) {}

  static async open(): Promise<MarketFixture> {
    const market = localMarket();
    const services = await SeedServices.open(
      serviceVariables({
        databaseUrl: market.database_url,
        rpcUrl: market.rpc_url,
        factory: market.escrow_factory_address,
        appSecret: marketSecret(),
        port: Number(new URL(market.base_url).port),
        managementPort: Number(new URL(market.management_url).port),
        extra: {},
      }),
    );
    const chain = new LocalChain(market.rpc_url);
    const relayer = new Wallet(`0x${randomBytes(32).toString('hex')}`);
    Object.defineProperty(chain, 'relayer', { value: relayer });
    await chain.giveEther(relayer.address, WEI_EACH);
    return new MarketFixture(market, services, chain);
  }

  async close(): Promise<void> {
    this.chain.close();
    await this.services.close();
  }

  /** A new account with keys, a wallet with money, and agents with these names and capabilities. */
  async person(
    name: string,
    agents: Readonly<Record<string, readonly string[]>> = {},
    wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`),
  ): Promise<Person> {
    const account = await this.services.accounts.create({ name, walletAddress: wallet.address });
    const participant: Participant = { account, wallet, agents: [] };
    for (const [agent, capabilities] of Object.entries(agents)) {
      participant.agents.push(
        await this.services.agents.publish(account, {
          name: agent,
          description: `Does ${capabilities.join(', ')}.`,
          capabilities: [...capabilities],
          agentCardUrl: 'https://agents.example/agent-card.json',
        }),
      );
    }
    await this.chain.giveEther(wallet.address, WEI_EACH);
    await this.chain.provider.send('anvil_dealERC20', [
      wallet.address,
      this.market.usdc_address,
      `0x${USDC_EACH.toString(16)}`,
    ]);
    return { ...(await localAccount(this.services, participant)), participant };
  }

  /** A draft of the buyer. */
  async draft(buyer: Person, draft: Partial<TaskDraft> = {}): Promise<OwnTask> {
    const task = await this.services.drafts.create(buyer.participant.account, {
      title: 'A task of the surface specs',
      brief: 'Count the words of 40 pages.',
      criteria: ['The number is right'],
      budget: 1_000n * USDC,
      selectionMode: 'manual',
      ...draft,
    });
    const { chain, market, services } = this;
    const deployment = { chain, usdc: market.usdc_address, factory: market.escrow_factory_address };
    const signer = new ActionSigner(services, { chainId: LOCAL_CHAIN_ID, usdc: deployment.usdc });
    const tree = new TaskTree({ ...deployment, signer }, task, buyer.participant);
    return { id: task.id, tree, hiring: new Hiring(tree, services, LOCAL_CHAIN_ID) };
  }

  /** A task that is open for offers. */
  async task(buyer: Person, draft: Partial<TaskDraft> = {}): Promise<OwnTask> {
    const task = await this.draft(buyer, draft);
    const { transactions, tasks, nowMs } = this.services;
    await transactions.run((manager) => tasks.markOpened(manager, task.id, new Date(nowMs)));
    return task;
  }

  /** A signed quote of the worker's first agent. Its times begin now. */
  quote(task: OwnTask, worker: Person, terms: Partial<OfferTerms> = {}): Promise<Offer> {
    const { participant } = worker;
    return task.hiring.quote(participant, agentOf(participant, worker.agents[0]!.name), this.terms(terms));
  }

  /** A quote that the worker has not signed. */
  draftQuote(task: OwnTask, worker: Person): ReturnType<Hiring['draft']> {
    const { participant } = worker;
    return task.hiring.draft(participant, agentOf(participant, worker.agents[0]!.name), this.terms({}));
  }

  /** A funded root node that waits for its delivery. */
  async fundedNode(
    buyer: Person,
    worker: Person,
    price = 100n * USDC,
    draft: Partial<TaskDraft> = {},
  ): Promise<OwnNode> {
    return this.fund(await this.task(buyer, draft), worker, price);
  }

  /** Selects the worker for an open task and funds the root node. */
  async fund(task: OwnTask, worker: Person, price = 100n * USDC): Promise<OwnNode> {
    const offer = await this.quote(task, worker, { price });
    await task.hiring.select(offer);
    await this.indexed(await task.hiring.fund(offer));
    return nodeOf(task, offer);
  }

  /** A child node of `parent`, paid from its money. */
  async childNode(parent: OwnNode, worker: Person, price = 10n * USDC): Promise<OwnNode> {
    const offer = await this.quote(parent.task, worker, { price, parent: parent.offer });
    await this.indexed(await parent.task.hiring.subcontract(offer));
    return nodeOf(parent.task, offer);
  }

  async indexed(mined: Mined): Promise<Mined> {
    await this.services.indexed(mined);
    return mined;
  }

  private terms(terms: Partial<OfferTerms>): OfferTerms {
    const now = Math.floor(this.services.nowMs / 1000);
    const isChild = terms.parent !== undefined;
    return {
      price: 100n * USDC,
      workSeconds: (isChild ? 10 : 30) * DAY_SECONDS,
      validUntil: now + 7 * DAY_SECONDS,
      ...terms,
    };
  }
}

function nodeOf(task: OwnTask, offer: Offer): OwnNode {
  const { nodeId: path, amount } = offer.terms;
  return { task, path, id: nodeIdOf(task.id, path), amount, offer };
}
