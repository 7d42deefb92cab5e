import { randomUUID } from 'node:crypto';
import { TypedDataEncoder } from 'ethers';
import { encodeAbandonNode, escrowTypedData, typedDataDigest } from '#libs/contracts';
import { EMPTY_REQUEST_DIGEST, type Hex, isHex } from '#libs/kernel';
import { LOCAL_CHAIN_ID } from '../anvil.js';
import type { LocalAccount } from '../local-file.js';
import type { Mined } from '../local-chain.js';
import type { Participant } from '../market/participant.js';
import type { TaskTree } from '../market/task-tree.js';
import { expectThat } from './teller.js';

/** What the demo reads of a PreparedAction (interface-spec.md, operation 1). */
interface PreparedAction {
  action_id: string;
  kind: string;
  principal: string;
  wallet_address: string;
  task_id: string;
  node_id: string;
  chain_id: number;
  escrow_address: string;
  nonce: string;
  request_digest: string;
  expires_at: string;
  payload: {
    domain: { name: string; version: string; chainId: number; verifyingContract: string };
    types: Record<string, { name: string; type: string }[]>;
    primaryType: string;
    message: Record<string, string>;
  };
}

interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

/** A node that its worker gives back through operation 1. */
export interface NodeToAbandon {
  baseUrl: string;
  account: LocalAccount;
  worker: Participant;
  tree: TaskTree;
  number: number;
  nodeId: string;
  /** Base units. */
  amount: bigint;
}

/** Operation 1 over HTTP, as a worker's program calls it. */
export class Abandonment {
  private readonly key = randomUUID();

  constructor(private readonly node: NodeToAbandon) {}

  /** Asks for the action and checks all of it before anybody signs. Throws DemoMismatch. */
  async prepare(): Promise<{ action: PreparedAction; text: string }> {
    const { status, text } = await this.post(this.key);
    expectThat(status === 200, `Operation 1 answered ${status}: ${text}`);
    const action: PreparedAction = JSON.parse(text);
    this.check(action);
    return { action, text };
  }

  /** The same request with the same key: the same bytes, marked as a replay. */
  async replay(): Promise<{ text: string; marked: boolean }> {
    const { status, text, headers } = await this.post(this.key);
    expectThat(status === 200, `The replay answered ${status}: ${text}`);
    return { text, marked: headers.get('idempotent-replayed') === 'true' };
  }

  /** The same key for another request: refused. Gives the error's code. */
  async reuse(): Promise<string> {
    const { status, text } = await this.post(this.key, { note: 'another request' });
    expectThat(status === 409, `Reusing the key for another request answered ${status}: ${text}`);
    return errorCode(text);
  }

  /** A fresh key once the node is not funded any more: refused. Gives the error's code. */
  async again(): Promise<string> {
    const { status, text } = await this.post(randomUUID());
    expectThat(status === 409, `Abandoning twice answered ${status}: ${text}`);
    return errorCode(text);
  }

  /** Signs the typed data exactly as it came and has the signature relayed. */
  async sign(action: PreparedAction): Promise<Mined> {
    const { domain, message } = action.payload;
    const signature = await this.node.worker.wallet.signTypedData(domain, structsOf(action), message);
    const auth = {
      actionId: hexMember(message, 'actionId'),
      requestDigest: hexMember(message, 'requestDigest'),
      nonce: BigInt(message.nonce ?? ''),
      validUntil: BigInt(message.validUntil ?? ''),
      signature: hexText(signature),
    };
    return this.node.tree.relay(encodeAbandonNode(this.node.number, auth));
  }

  /** Everything the signature will cover, recomputed here from what this side knows itself. */
  private check(action: PreparedAction): void {
    const { account, worker, tree, number, nodeId, amount } = this.node;
    const expected: Record<string, [unknown, unknown]> = {
      kind: [action.kind, 'abandon_node'],
      principal: [action.principal, account.account_id],
      wallet_address: [action.wallet_address, worker.wallet.address],
      task_id: [action.task_id, tree.task.id],
      node_id: [action.node_id, nodeId],
      chain_id: [action.chain_id, LOCAL_CHAIN_ID],
      escrow_address: [action.escrow_address, tree.escrow],
      request_digest: [action.request_digest, EMPTY_REQUEST_DIGEST],
      primaryType: [action.payload.primaryType, 'AbandonNode'],
    };
    for (const [name, [got, wanted]] of Object.entries(expected)) {
      expectThat(got === wanted, `The action's ${name} is ${String(got)}, not ${String(wanted)}: not signing.`);
    }
    const { message, domain } = action.payload;
    const own = escrowTypedData(
      'AbandonNode',
      { chainId: LOCAL_CHAIN_ID, escrowAddress: tree.escrow },
      {
        nodeId: number,
        token: tree.stage.usdc,
        amount,
        actionId: hexMember(message, 'actionId'),
        requestDigest: EMPTY_REQUEST_DIGEST,
        nonce: BigInt(action.nonce),
        validUntil: BigInt(Math.floor(Date.parse(action.expires_at) / 1000) + 60),
      },
    );
    // Hashed with the structs that came along, because those are what the wallet will sign.
    const shown = TypedDataEncoder.hash(domain, structsOf(action), message);
    expectThat(shown === typedDataDigest(own), 'The typed data is not what this action means: not signing.');
  }

  private async post(key: string, body?: object): Promise<Answer> {
    const { baseUrl, account, tree, nodeId } = this.node;
    const response = await fetch(`${baseUrl}/v1/tasks/${tree.task.id}/nodes/${nodeId}/abandon-intents`, {
      method: 'POST',
      headers: {
        'X-Api-Key': account.keys.worker,
        'Idempotency-Key': key,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
}

/** ethers adds the domain's own struct by itself. */
function structsOf({ payload }: PreparedAction): PreparedAction['payload']['types'] {
  return Object.fromEntries(Object.entries(payload.types).filter(([name]) => name !== 'EIP712Domain'));
}

function errorCode(text: string): string {
  const { error }: { error?: { code?: string } } = JSON.parse(text);
  return error?.code ?? 'no code';
}

function hexMember(message: Readonly<Record<string, string>>, name: string): Hex {
  return hexText(message[name] ?? '');
}

function hexText(text: string): Hex {
  expectThat(isHex(text), 'The typed data holds something that is not 0x-hex: not signing.');
  return text;
}
