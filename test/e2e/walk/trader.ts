import { randomUUID } from 'node:crypto';
import type { Wallet } from 'ethers';
import { bytesToHex, type Hex, sha256 } from '../../../libs/kernel/src/index.js';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import type { ApiAnswer } from '../../support/market.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import type { HttpMarket } from './http-market.js';

/** The parts that a trader is made from. */
export interface TraderParts {
  name: string;
  accountId: string;
  /** Address of the wallet: the key's own, or a contract that the key signs for. */
  address: Hex;
  key: Wallet;
  keys: Record<Scope, string>;
}

export interface Asked {
  body?: unknown;
  idempotencyKey?: string;
}

/** One call as wallets send it. */
export interface Call {
  to: string;
  data: string;
  from?: string;
}

/** A person with API keys and a wallet. Everything goes over HTTP, except what the wallet sends to the chain. */
export class Trader {
  readonly name: string;
  readonly accountId: string;
  readonly address: Hex;
  readonly key: Wallet;
  readonly keys: Record<Scope, string>;
  agentId = '';

  constructor(
    readonly market: HttpMarket,
    parts: TraderParts,
  ) {
    ({ name: this.name, accountId: this.accountId, address: this.address, key: this.key, keys: this.keys } = parts);
  }

  get(path: string, scope: Scope = 'read'): Promise<ApiAnswer> {
    return this.market.service.call(path, { key: this.keys[scope] });
  }

  post(scope: Scope, path: string, { body, idempotencyKey = randomUUID() }: Asked = {}): Promise<ApiAnswer> {
    return this.market.service.call(path, {
      method: 'POST',
      key: this.keys[scope],
      headers: { 'Idempotency-Key': idempotencyKey },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Publishes its agent, which everything else needs. */
  async publish(): Promise<void> {
    const body = { name: this.name, agent_card_url: 'https://agents.example/card.json', capabilities: ['audit'] };
    const answer = await this.post('agent-owner', '/v1/agents', { body });
    this.agentId = bodyOf(answer).id;
  }

  /** Uploads a text into custody. */
  async upload(text: string): Promise<{ artifact_hash: Hex; custody_receipt: string }> {
    const bytes = Buffer.from(text);
    const hash = bytesToHex(sha256(bytes));
    const response = await fetch(`${this.market.service.url}/v1/artifacts/${hash}`, {
      method: 'PUT',
      headers: {
        'X-Api-Key': this.keys.worker,
        'Idempotency-Key': randomUUID(),
        'Content-Type': 'text/plain',
      },
      body: bytes,
    });
    const body: any = await response.json();
    if (response.status !== 200) throw new Error(`An upload was answered ${response.status}: ${JSON.stringify(body)}`);
    return { artifact_hash: hash, custody_receipt: body.custody_receipt };
  }

  /** The wallet's signature over the payload exactly as it was returned. */
  sign({ payload }: { payload: any }): Promise<Hex> {
    return signTypedData(this.key, payload);
  }

  /** Prepares an action. Rejects on any answer but 200. */
  async prepare(scope: Scope, path: string, body?: unknown): Promise<any> {
    return bodyOf(await this.post(scope, path, body === undefined ? {} : { body }));
  }

  /** Signs an action and submits the signature. The answer has the call that anyone may send. */
  async submit(scope: Scope, action: { action_id: string; payload: any }): Promise<any> {
    const body = { signature: await this.sign(action) };
    return bodyOf(await this.post(scope, `/v1/actions/${action.action_id}/submissions`, { body }));
  }

  /** Sends the call of a signed action, from anybody unless the call names its sender. Waits until it is indexed. */
  async relay({ transaction }: { transaction?: Call }): Promise<string> {
    if (!transaction) throw new Error('The action has no call');
    const { chain } = this.market;
    const hash =
      transaction.from === undefined
        ? await chain.send(transaction.to, transaction.data)
        : await chain.sendAs(transaction.from, transaction);
    await this.market.indexed();
    return hash;
  }

  /** Sends the calls of an action from the wallet itself, without a signature. */
  async direct({ payload }: { payload: any }): Promise<string> {
    const calls: Call[] = payload.calls ?? [payload.transaction];
    let hash = '';
    for (const call of calls) hash = await this.market.chain.sendAs(this.address, call);
    await this.market.indexed();
    return hash;
  }

  /**
   * Prepares an action, signs, submits and mines it. An action of several calls is sent by the wallet itself, without a
   * signature.
   */
  async act(scope: Scope, path: string, body?: unknown): Promise<any> {
    const action = await this.prepare(scope, path, body);
    if (action.payload.calls) {
      await this.direct(action);
      return action;
    }
    const signed = await this.submit(scope, action);
    if (signed.transaction) await this.relay(signed);
    return action;
  }
}

/** The body of a successful answer. @throws on any other answer. */
export function bodyOf({ status, text, body }: ApiAnswer): any {
  if (status !== 200) throw new Error(`It was answered ${status}: ${text}`);
  return body;
}
