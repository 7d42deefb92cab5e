import { Injectable, type Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type ActionAuth,
  type ActionFields,
  contractCall,
  type ContractCall,
  nodeNonce,
  senderAuth,
  type StoredNode,
  type TypedData,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { Scope } from '../../credentials/scope.js';
import type { StandingNode } from '../../escrow/node/node-authority.js';
import type { PreparedEvent } from './node-refusals.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { actionFieldsOf, type MessageMembers, messageOf, readUint } from '../payload/typed-message.js';
import { NodeKindServices } from './node-kind-services.js';

/** What sets one kind of action on a funded node apart. `Own` are the arguments that its call takes beside the node. */
export interface NodeKindRow<Input, Own extends object> extends Pick<PreparedKind<Input>, 'inputOf'> {
  /** The event of the node that the signature authorizes; it decides the checks and the words of a refusal. */
  readonly event: PreparedEvent;
  readonly scopes: readonly [Scope, ...Scope[]];
  /** Absent: the first of `scopes`. */
  scopeFor?(input: Input): Scope;
  /** Finds the node. @throws ApiError as `PreparedKind.check`, when the caller may not act on it. */
  nodeFor(services: NodeKindServices, intent: ActionIntent, input: Input): Promise<StandingNode>;
  /** EIP-55 of the wallet that must sign. @throws ApiError `wallet_mismatch` when there is none. */
  signerOf(node: StandingNode, intent: ActionIntent): Hex;
  ownOf(input: Input, node: StandingNode): Own;
  /** As `CheckedAction.latestSeconds`; absent: the action's own end. */
  latestSecondsFor?(node: StandingNode, nowSeconds: number): number | undefined;
  /** The same arguments, read from the message that was signed. */
  ownIn(message: MessageMembers): Own;
  /** The struct to sign; `node` is the node as the chain has it. */
  typedData(
    domain: { readonly chainId: number; readonly escrowAddress: Hex },
    members: Own & { readonly nodeId: bigint; readonly token: Hex; readonly node: StoredNode },
    fields: ActionFields,
  ): TypedData;
  /** Call data of the escrow's function. */
  encode(call: Own & { readonly nodeId: bigint; readonly signer: string }, auth: ActionAuth): Hex;
  /** As `CheckedAction.record`. */
  record?(
    services: NodeKindServices,
    manager: EntityManager,
    of: { readonly input: Input; readonly node: StandingNode; readonly action: PreparedActionEntity },
  ): Promise<void>;
}

/** Returns the class that implements a kind on one funded node; these kinds differ in their rows alone. */
export function nodeKind<Input, Own extends object>(row: NodeKindRow<Input, Own>): Type<PreparedKind<Input>> {
  @Injectable()
  class NodeKind implements PreparedKind<Input> {
    readonly scopes = row.scopes;

    constructor(private readonly services: NodeKindServices) {}

    inputOf(request: OriginatingRequest): Input {
      return row.inputOf(request);
    }

    async check(intent: ActionIntent, input: Input): Promise<CheckedAction> {
      const { services } = this;
      const node = await row.nodeFor(services, intent, input);
      services.intents.requireByIndex(row.event, node);
      const { id, taskId, path: nodeId, version, escrowAddress } = node;
      const signer = row.signerOf(node, intent);
      const own = row.ownOf(input, node);
      const latestSeconds = row.latestSecondsFor?.(node, services.clock.nowSeconds());
      const call = (fields: ActionFields): ContractCall =>
        contractCall(escrowAddress, row.encode({ nodeId, signer, ...own }, senderAuth(fields)));
      return {
        scope: row.scopeFor?.(input) ?? row.scopes[0],
        taskId,
        nodeId: id,
        escrowAddress,
        nonce: nodeNonce(nodeId, version),
        signer,
        ownMoney: 0n,
        ...(latestSeconds === undefined ? {} : { latestSeconds }),
        triedCalls: (fields) => [{ from: signer, ...call(fields) }],
        confirm: async () => {
          const stored = await services.intents.requireByChain(row.event, node);
          const { chainId, usdcAddress: token } = services.config;
          return {
            typedData: (fields) =>
              row.typedData({ chainId, escrowAddress }, { nodeId, token, node: stored, ...own }, fields),
            directCalls: (fields) => [call(fields)],
          };
        },
        record: async (manager, action) => row.record?.(services, manager, { input, node, action }),
      };
    }

    async signedCall(action: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
      const message = messageOf(action.payload);
      const called = { nodeId: readUint(message, 'nodeId'), signer: action.walletAddress, ...row.ownIn(message) };
      return contractCall(action.escrowAddress, row.encode(called, { ...actionFieldsOf(message), signature }));
    }

    /** A node that moves on uses up the nonce; only a reorganisation can take the node away. */
    isSupersededBy({ nodeState }: ActionStanding): boolean {
      return nodeState === null;
    }
  }
  return NodeKind;
}
