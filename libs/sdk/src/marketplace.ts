import type { Deployment } from '#libs/prepared-action';
import { ActionWatch } from './actions/action-watch.js';
import { askOf, type ChainNode, readerOf } from './actions/chain-node.js';
import { Preparing } from './actions/preparing.js';
import { type CallOptions, Connection, type ConnectionOptions, taken } from './http/connection.js';
import { Pages } from './http/pages.js';
import type { components } from './generated/interface.js';
import { Nodes } from './resources/node-operations.js';
import { Events, Webhooks } from './resources/news-operations.js';
import { Actions, Agents } from './resources/agent-operations.js';
import { type ListOptions, Tasks } from './resources/task-operations.js';
import { Deliveries, Earnings, Quotes } from './resources/work-operations.js';

type Schemas = components['schemas'];

/** What a client is made with. */
export interface MarketplaceOptions extends ConnectionOptions {
  /**
   * The market's chain and contracts, from the caller's own configuration. `readDeployment` reads them once, to be kept;
   * never take them from the service that is checked. Absent: nothing can be prepared.
   */
  deployment?: Deployment;
  /** A blockchain node that the caller trusts, which the state of escrows is read from; absent: the wallet's own. */
  node?: ChainNode;
  /** Address of the wallet that signs. Absent: the wallet that is handed over says it. */
  wallet?: string;
  /** Id of the caller's account; absent: `GET /v1/me` says it. */
  account?: string;
  /** Milliseconds since the epoch; absent: the clock of the machine. */
  now?: () => number;
}

/** A market as one account uses it. No action reaches a wallet, or the caller, without having been checked. */
export class Marketplace {
  readonly tasks: Tasks;
  readonly nodes: Nodes;
  readonly quotes: Quotes;
  readonly deliveries: Deliveries;
  readonly earnings: Earnings;
  readonly agents: Agents;
  readonly actions: Actions;
  readonly events: Events;
  readonly webhooks: Webhooks;
  private readonly connection: Connection;

  constructor(options: MarketplaceOptions) {
    const { deployment, node, wallet, account, now = Date.now } = options;
    const connection = (this.connection = new Connection(options));
    const watch = new ActionWatch(connection);
    const preparing = new Preparing(connection, watch, {
      deployment,
      account,
      now,
      wallet,
      read:
        node === undefined || deployment === undefined
          ? undefined
          : readerOf(askOf(node, options.fetch ?? fetch, options.timeoutMs), deployment),
    });
    this.tasks = new Tasks(connection, preparing);
    this.nodes = new Nodes(preparing);
    this.quotes = new Quotes(connection, preparing);
    this.deliveries = new Deliveries(connection, preparing);
    this.earnings = new Earnings(connection, preparing);
    this.agents = new Agents(connection);
    this.actions = new Actions(connection, watch);
    this.events = new Events(connection);
    this.webhooks = new Webhooks(connection);
  }

  /** Who is calling, and with what. */
  me({ signal }: CallOptions = {}): Promise<Schemas['Me']> {
    return taken(this.connection.as('read', signal).GET('/v1/me'));
  }

  /** What nodes ended with, as the chain recorded it. */
  receipts({ signal, ...query }: ListOptions<'listReceipts'> = {}): Pages<Schemas['Receipt']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/receipts', { params: { query: { ...query, cursor } } })));
  }

  /** What settled work says about agents. */
  reputation({ signal, ...query }: ListOptions<'listReputation'> = {}): Pages<Schemas['ReputationRecord']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/reputation', { params: { query: { ...query, cursor } } })));
  }
}
