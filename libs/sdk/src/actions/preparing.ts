import { parseUsdc } from '#libs/notation';
import type { Deployment, ExpectedMembers } from '#libs/prepared-action';
import type { Client } from 'openapi-fetch';
import type { components, paths } from '../generated/interface.js';
import { type Connection, taken, type WriteHeader } from '../http/connection.js';
import { ActionGate, type Asked, type Pinned, type PrepareOptions } from './action-gate.js';
import type { ActionRecord, ActionWatch, WaitOptions } from './action-watch.js';
import { SignableAction } from './signable-action.js';
import type { AnyWallet } from './wallets.js';

type Answer = Promise<{ data?: unknown; error?: unknown; response: Response }>;
type Ask = (api: Client<paths>, header: WriteHeader) => Answer;

/** What the answers of one caller's market are held against. */
export interface PreparingOptions extends Omit<Pinned, 'deployment'> {
  readonly deployment: Deployment | undefined;
  /** Id of the caller's account; absent: the service says it once. */
  readonly account: string | undefined;
}

/** An action that is being prepared; `await` gives it, and `send` goes on as soon as it has passed the checks. */
export class Preparation extends Promise<SignableAction> {
  // What comes after it is an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** As `send` of the action. */
  send(wallet: AnyWallet, options?: WaitOptions): Promise<ActionRecord> {
    return this.then((action) => action.send(wallet, options));
  }
}

/** Has the service prepare actions, and lets through only what answers the request. */
export class Preparing {
  private readonly gate: ActionGate | undefined;
  private principal: Promise<string> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly watch: ActionWatch,
    { deployment, account, ...pinned }: PreparingOptions,
  ) {
    if (deployment !== undefined) this.gate = new ActionGate({ deployment, ...pinned });
    if (account !== undefined) this.principal = Promise.resolve(account);
  }

  /**
   * Throws PreparedActionRejected, MarketError, MarketUnreachable, and TypeError where no deployment is pinned.
   * @param actionIn where the action is in the answer; absent: it is the answer.
   */
  prepare(
    asked: Asked,
    options: PrepareOptions,
    ask: Ask,
    actionIn: (answer: unknown) => unknown = (answer) => answer,
  ): Preparation {
    return new Preparation((resolve) => resolve(this.admitted(asked, options, ask, actionIn)));
  }

  private async admitted(
    asked: Asked,
    options: PrepareOptions,
    ask: Ask,
    actionIn: (answer: unknown) => unknown,
  ): Promise<SignableAction> {
    if (this.gate === undefined) throw new TypeError('Actions need a pinned `deployment` to be checked against');
    const principal = await this.account();
    const answer = await this.connection.write<unknown>(asked.scope, options, ask);
    const admitted = await this.gate.admit(actionIn(answer), asked, principal, options);
    return new SignableAction(admitted, this.gate, this.connection, asked.scope, this.watch);
  }

  private account(): Promise<string> {
    this.principal ??= taken<components['schemas']['Me']>(this.connection.as('read').GET('/v1/me')).then(
      ({ account }) => account.id,
      (error: unknown) => {
        this.principal = undefined;
        throw error;
      },
    );
    return this.principal;
  }
}

/** The members of the terms that a quote fixes: what is selected or paid must be what the caller has seen. */
export function termsOfQuote(quote: components['schemas']['Quote']): ExpectedMembers {
  const { price, floor, work_seconds: workSeconds, max_revisions: maxRevisions, terms_hash: termsHash } = quote;
  return {
    terms: {
      amount: parseUsdc(price.amount),
      floor: parseUsdc(floor.amount),
      workSeconds,
      maxRevisions,
      ...(termsHash === undefined ? {} : { termsHash }),
    },
  };
}
