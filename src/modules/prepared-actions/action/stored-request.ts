import type { Type } from '@nestjs/common';
import { isIdentifier } from '#libs/kernel';
import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import type { NodeInput, ReviewInput } from './intent-inputs.js';
import type { OriginatingRequest } from './originating-request.js';

/**
 * The body of a stored request, checked as the route checks it: it passed those checks once, and has to pass them again
 * because the rules may have changed.
 * @throws ApiError `invalid_body` when the body would not be taken today.
 */
export function storedBody<Body extends object>(shape: Type<Body>, { body = {} }: OriginatingRequest): Body {
  const instance = checkedInstance(shape, body, 'invalid_body');
  if (!(instance instanceof shape)) throw new TypeError('A checked body is of its class');
  return instance;
}

/** The task that the path names. Throws TypeError when it names none. */
export function storedTask({ params }: OriginatingRequest): { taskId: string } {
  return { taskId: idIn(params, 'task_id') };
}

/** The node that the path names. Throws TypeError when it names none. */
export function storedNode({ params }: OriginatingRequest): NodeInput {
  return { taskId: idIn(params, 'task_id'), nodeId: idIn(params, 'node_id') };
}

/**
 * The node to review and the body: a child node is named by the path, a root node by the body, if by anything.
 * @throws ApiError as `storedBody`.
 */
export function storedReview<Body extends object>(
  request: OriginatingRequest,
  ofNode: Type<Body>,
  ofTask: Type<Body & { node_id?: string }>,
): { node: ReviewInput; body: Body } {
  if ('node_id' in request.params) return { node: storedNode(request), body: storedBody(ofNode, request) };
  const body = storedBody(ofTask, request);
  return { node: { ...storedTask(request), nodeId: null, ...rootIn(body) }, body };
}

/** The root node, if the body of a buyer's review names one. */
export function rootIn({ node_id: rootNodeId }: { node_id?: string }): { rootNodeId?: string } {
  return rootNodeId === undefined ? {} : { rootNodeId };
}

function idIn(params: OriginatingRequest['params'], name: string): string {
  const id = params[name];
  if (id === undefined || !isIdentifier(id)) throw new TypeError(`A stored request has no ${name}`);
  return id;
}
