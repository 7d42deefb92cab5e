import {
  type ActionKind,
  type Check,
  type Hex,
  type PreparedAction,
  type ProposedCall,
  verifySignedCall,
} from '#libs/prepared-action';
import type { components } from '../generated/interface.js';
import { type Connection, type Scope, type WriteOptions } from '../http/connection.js';
import type { ActionGate, Admitted } from './action-gate.js';
import type { ActionRecord, ActionWatch, WaitOptions } from './action-watch.js';
import { PreparedActionRejected } from './prepared-action-rejected.js';
import { type AnyWallet, type TypedDataToSign, walletOf } from './wallets.js';

/** An action that was signed, and the checked call that takes it to the chain; null: it needs none. */
export interface SignedAction {
  readonly signature: Hex;
  readonly record: ActionRecord;
  readonly call: ProposedCall | null;
}

/** A prepared action that has passed the checks. What it says cannot be changed any more. */
export class SignableAction {
  readonly kind: ActionKind;
  /** The action as the service has prepared it. */
  readonly action: PreparedAction;
  /** The fifteen checks of its arrival. */
  readonly checks: readonly Check[];
  /** EIP-712 digest of what is signed; `matchCode(digest)` gives the code that the approval page shows. */
  readonly digest: Hex;

  constructor(
    private readonly admitted: Admitted,
    private readonly gate: ActionGate,
    private readonly connection: Connection,
    private readonly scope: Scope,
    private readonly watch: ActionWatch,
  ) {
    this.action = admitted.action;
    this.kind = admitted.intent.kind as ActionKind;
    this.checks = admitted.checks;
    this.digest = admitted.digest;
  }

  get id(): string {
    return this.action.action_id;
  }

  get taskId(): string | undefined {
    return this.action.task_id;
  }

  /** The page where a person signs it with a wallet of a browser. */
  get signingUrl(): string {
    return this.action.signing_url;
  }

  /** Checks it once more and has the wallet sign it. Throws PreparedActionRejected, and what the wallet throws. */
  async signWith(wallet: AnyWallet): Promise<Hex> {
    const signer = walletOf(wallet);
    await this.gate.confirm(this.admitted, signer);
    const { domain, types, primaryType, message } = this.action.payload;
    return signer.sign(structuredClone({ domain, types, primaryType, message }) as TypedDataToSign);
  }

  /**
   * Hands a signature in. The call that comes back is checked, too: it must carry this action and this signature and
   * nothing else. Throws PreparedActionRejected, MarketError.
   */
  async submit(signature: Hex, options: WriteOptions = {}): Promise<SignedAction> {
    const record = await this.handIn({ signature }, options);
    const call = (record.transaction ?? null) as ProposedCall | null;
    if (call !== null) {
      const check = verifySignedCall(call, this.action, signature, this.gate.pinned.deployment);
      if (check.status !== 'passed') throw new PreparedActionRejected([check], record, true);
    }
    return { signature, record, call };
  }

  /** Tells the service the transaction with which the action is on its way, so that it is followed. */
  submitTransaction(hash: string, options: WriteOptions = {}): Promise<ActionRecord> {
    return this.handIn({ transaction_hash: hash }, options);
  }

  /**
   * Signs it, hands it in, has the same wallet send the call if there is one, tells the service its transaction, and waits
   * until it is final. Throws PreparedActionRejected, MarketError, ActionNotExecuted, and TypeError where the wallet cannot
   * send or shows another network.
   */
  async send(wallet: AnyWallet, options: WaitOptions = {}): Promise<ActionRecord> {
    const { call } = await this.submit(await this.signWith(wallet), options);
    if (call === null) return this.wait(options);
    const { send } = walletOf(wallet);
    if (send === undefined)
      throw new TypeError('This wallet cannot send: use submit(), and have another send the call');
    const hash = await send({ to: call.to, data: call.data, chainId: this.gate.pinned.deployment.chainId });
    // Only who knows the transaction can tell that it has failed, before the action's time is over. What is sent is sent:
    // a refusal is no reason not to wait for it, and the end of the caller's patience none to keep it to oneself.
    await this.submitTransaction(hash).catch(() => undefined);
    return this.wait(options);
  }

  /** Waits until it has come to its end, by events. Throws ActionNotExecuted when it ends otherwise. */
  wait(options: WaitOptions = {}): Promise<ActionRecord> {
    return this.watch.wait(this.id, options.until, options);
  }

  private handIn(
    body: components['schemas']['SignatureSubmissionBody'] | components['schemas']['TransactionSubmissionBody'],
    options: WriteOptions,
  ): Promise<ActionRecord> {
    const path = { action_id: this.id };
    return this.connection.write(this.scope, options, (api, header) =>
      api.POST('/v1/actions/{action_id}/submissions', { params: { path, header }, body }),
    );
  }
}
