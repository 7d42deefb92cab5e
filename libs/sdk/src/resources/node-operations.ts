import type { ActionKind } from '#libs/prepared-action';
import type { components } from '../generated/interface.js';
import type { Asked, PrepareOptions } from '../actions/action-gate.js';
import { type Preparation, type Preparing, termsOfQuote } from '../actions/preparing.js';
import type { Scope, WriteHeader } from '../http/connection.js';

type Schemas = components['schemas'];

/** A node of a task's tree, as `EscrowNode` has it. */
export interface NodeRef {
  task_id: string;
  id: string;
}

/** What workers and hirers of nodes prepare. */
export class Nodes {
  constructor(private readonly actions: Preparing) {}

  /** Gives the job up: all of the node's money goes back. */
  prepareAbandonment(node: NodeRef, options: PrepareOptions = {}): Preparation {
    return this.actions.prepare(about(node, 'abandon_node', 'worker'), options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/nodes/{node_id}/abandon-intents', {
        params: at(node, header),
      }),
    );
  }

  /** Calls the arbiter about a rejection. */
  prepareDispute(node: NodeRef, body: Schemas['DisputeBody'] = {}, options: PrepareOptions = {}): Preparation {
    return this.actions.prepare({ ...about(node, 'dispute_node', 'worker'), body }, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/nodes/{node_id}/dispute-intents', {
        params: at(node, header),
        body,
      }),
    );
  }

  /** Sends the money of a node back whose deadline is over; anybody may. */
  prepareNonDeliveryClaim(node: NodeRef, options: PrepareOptions = {}): Preparation {
    const path = '/v1/tasks/{task_id}/nodes/{node_id}/non-delivery-claim-intents';
    return this.actions.prepare(about(node, 'claim_non_delivery', 'read'), options, (api, header) =>
      api.POST(path, { params: at(node, header) }),
    );
  }

  /** Accepts the work of somebody that the caller has hired. */
  prepareResolution(
    node: NodeRef,
    body: Schemas['ResolutionBody'] = { resolution: 'accept' },
    options: PrepareOptions = {},
  ): Preparation {
    return this.actions.prepare({ ...about(node, 'resolve_task', 'worker'), body }, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/nodes/{node_id}/resolution', {
        params: at(node, header),
        body,
      }),
    );
  }

  /** Rejects the work of somebody that the caller has hired. */
  prepareRejection(node: NodeRef, body: Schemas['RejectionBody'] = {}, options: PrepareOptions = {}): Preparation {
    return this.actions.prepare({ ...about(node, 'reject_task', 'worker'), body }, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/nodes/{node_id}/reject-intents', {
        params: at(node, header),
        body,
      }),
    );
  }

  /** Hires below the node. The quote is the one that the caller means to take up. */
  prepareSubcontract(
    node: NodeRef,
    { quote, ...terms }: Omit<Schemas['SubcontractBody'], 'quote_id'> & { quote: Schemas['Quote'] },
    options: PrepareOptions = {},
  ): Preparation {
    const body = { ...terms, quote_id: quote.id };
    const asked = { ...about(node, 'subcontract', 'worker'), body, expects: termsOfQuote(quote) };
    return this.actions.prepare(asked, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/nodes/{node_id}/subcontract-intents', {
        params: at(node, header),
        body,
      }),
    );
  }
}

function about({ task_id: taskId, id: nodeId }: NodeRef, kind: ActionKind, scope: Scope): Asked {
  return { kind, scope, taskId, nodeId };
}

function at({ task_id, id }: NodeRef, header: WriteHeader) {
  return { path: { task_id, node_id: id }, header };
}
