import { Injectable, type Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type ActionAuth,
  type ActionFields,
  contractCall,
  type ContractCall,
  senderAuth,
  type StoredNode,
  type TypedData,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ruleOf } from '#libs/prepared-action';
import type { Scope } from '../../credentials/scope.js';
import type { StandingNode } from '../../escrow/node/node-authority.js';
import type { PreparedEvent } from './node-refusals.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { actionFieldsOf, messageOf, readBytes32, readCount } from '../payload/typed-message.js';
import { NodeKindServices } from './node-kind-services.js';

/** What sets one kind of action on a funded node apart. `Digest` names the bytes32 members that its call takes. */
export interface NodeKindRow<Input, Digest extends string> extends Pick<PreparedKind<Input>, 'inputOf'> {
  /** The event of the node that the signature authorizes; it decides the checks and the words of a refusal. */
  readonly event: PreparedEvent;
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly digests: readonly Digest[];
  /** True for an event about delivered work: the chain must have the same artifact that the index shows the caller. */
  readonly isReview?: true;
  /** Absent: the first of `scopes`. */
  scopeFor?(input: Input): Scope;
  /** Finds the node. @throws ApiError as `PreparedKind.check`, when the caller may not act on it. */
  nodeFor(services: NodeKindServices, intent: ActionIntent, input: Input): Promise<StandingNode>;
  /** EIP-55 of the wallet that must sign. @throws ApiError `wallet_mismatch` when there is none. */
  signerOf(node: StandingNode, intent: ActionIntent): Hex;
  digestsOf(input: Input, node: StandingNode): Readonly<Record<Digest, Hex>>;
  /** The struct to sign; `node` is the node as the chain has it. */
  typedData(
    domain: { readonly chainId: number; readonly escrowAddress: Hex },
    members: Readonly<Record<Digest, Hex>> & {
      readonly nodeId: number;
      readonly token: Hex;
      readonly node: StoredNode;
    },
    fields: ActionFields,
  ): TypedData;
  /** Call data of the escrow's function. */
  encode(
    call: Readonly<Record<Digest, Hex>> & { readonly nodeId: number; readonly signer: string },
    auth: ActionAuth,
  ): Hex;
  /** As `CheckedAction.record`. */
  record?(
    services: NodeKindServices,
    manager: EntityManager,
    of: { readonly input: Input; readonly node: StandingNode; readonly action: PreparedActionEntity },
  ): Promise<void>;
}

/** Returns the class that implements a kind on one funded node; these kinds differ in their rows alone. */
export function nodeKind<Input, Digest extends string>(row: NodeKindRow<Input, Digest>): Type<PreparedKind<Input>> {
  const states = ruleOf(row.event)?.states ?? [];

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
      const { id, taskId, number: nodeId, escrowAddress } = node;
      const signer = row.signerOf(node, intent);
      const digests = row.digestsOf(input, node);
      const call = (fields: ActionFields): ContractCall =>
        contractCall(escrowAddress, row.encode({ nodeId, signer, ...digests }, senderAuth(fields)));
      return {
        scope: row.scopeFor?.(input) ?? row.scopes[0],
        taskId,
        nodeId: id,
        escrowAddress,
        signer,
        ownMoney: 0n,
        triedCalls: (fields) => [{ from: signer, ...call(fields) }],
        confirm: async () => {
          const stored = await this.requireByChain(node);
          const { chainId, usdcAddress: token } = services.config;
          return {
            typedData: (fields) =>
              row.typedData({ chainId, escrowAddress }, { nodeId, token, node: stored, ...digests }, fields),
            directCalls: (fields) => [call(fields)],
          };
        },
        record: async (manager, action) => row.record?.(services, manager, { input, node, action }),
      };
    }

    async signedCall(action: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
      const message = messageOf(action.payload);
      const digests = digestsBy(row.digests, (name) => readBytes32(message, name));
      const called = { nodeId: readCount(message, 'nodeId'), signer: action.walletAddress, ...digests };
      return contractCall(action.escrowAddress, row.encode(called, { ...actionFieldsOf(message), signature }));
    }

    /** `states` are those of the node in which the contract takes the event; the index gives them the same names. */
    isSupersededBy({ nodeState }: ActionStanding): boolean {
      return !states.some((state) => state === nodeState);
    }

    private requireByChain(node: StandingNode): Promise<StoredNode> {
      const { intents } = this.services;
      return row.isReview ? intents.requireSameArtifact(row.event, node) : intents.requireByChain(row.event, node);
    }
  }
  return NodeKind;
}

function digestsBy<Digest extends string>(names: readonly Digest[], read: (name: Digest) => Hex): Record<Digest, Hex> {
  const digests: Partial<Record<Digest, Hex>> = {};
  for (const name of names) digests[name] = read(name);
  return digests as Record<Digest, Hex>;
}
