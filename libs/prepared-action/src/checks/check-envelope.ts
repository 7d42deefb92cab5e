import { isIdentifier, parentPath } from '#libs/notation';
import { FOUND } from './check-copy.js';
import { isAddressText, sameAddress } from '../document/evm-address.js';
import { isObject } from '../document/plain-json.js';
import { foundText } from '../document/shown-text.js';
import {
  failed,
  type Finding,
  isNodeId,
  namedNode,
  ownMember,
  passed,
  type Subject,
  uintOf,
  unknown,
} from './verification-input.js';

/**
 * 1: a client refuses another kind than it asked for (docs/decisions/interface.md#prepared-actions), and one that it
 * does not know.
 */
export function checkKind({ action: { kind }, rule, intent }: Subject): Finding {
  if (kind !== intent.kind) return failed(FOUND.another(foundText(kind), foundText(intent.kind)));
  return rule === null ? failed(FOUND.unknownKind(foundText(kind))) : passed(intent.kind);
}

/** 2: the action is for the account that asked for it. */
export function checkPrincipal({ action: { principal }, intent }: Subject): Finding {
  if (principal !== intent.principal) return failed(FOUND.another(foundText(principal), foundText(intent.principal)));
  return passed(intent.principal);
}

/** 3: the wallet of the envelope, of the request, of the message and the one that is connected are one. */
export function checkWallet(subject: Subject): Finding {
  const { action, intent, context } = subject;
  const named = action['wallet_address'];
  const wallet = named ?? intent.wallet ?? context.connectedWallet;
  if (wallet === undefined) return unknown(FOUND.noWallet);
  if (!isAddressText(wallet)) return failed(FOUND.another(foundText(wallet), 'an address'));
  for (const other of [intent.wallet, context.connectedWallet]) {
    if (other !== undefined && !sameAddress(other, wallet)) return failed(FOUND.another(wallet, foundText(other)));
  }
  for (const [name, value] of signersIn(subject)) {
    if (!sameAddress(value, wallet)) return failed(FOUND.signerInMessage(name, foundText(value)));
  }
  return context.connectedWallet === undefined ? unknown(FOUND.notConnected(wallet)) : passed(FOUND.wallet(wallet));
}

/** 4: task and node are those of the request, and the message is for that very node. */
export function checkTarget(subject: Subject): Finding {
  const { action, rule, intent } = subject;
  const { task_id: task, node_id: node } = action;
  const { taskId, nodeId, parentNodeId } = askedTarget(subject);
  if (typeof task !== 'string' || !isIdentifier(task)) return failed(FOUND.missing('task_id'));
  if (taskId !== undefined && task !== taskId) return failed(FOUND.another(foundText(task), foundText(taskId)));
  if (nodeId !== undefined && node !== nodeId) return failed(FOUND.another(foundText(node), foundText(nodeId)));
  if (intent.kind === 'submit_quote') {
    const path = uintOf(ownMember(subject, 'terms.nodeId'));
    const parent = path === null ? null : parentPath(path);
    const isAsked = parentNodeId === undefined ? parent === 0n : isNodeId(parentNodeId, task, parent);
    if (!isAsked) return failed(FOUND.nodePath(String(path)));
  }
  if (rule === null || rule.nodeMember === null) {
    return node === undefined ? passed(FOUND.target(task, null)) : failed(FOUND.unexpected('node_id'));
  }
  if (typeof node !== 'string') return failed(FOUND.missing('node_id'));
  const named = namedNode(subject);
  if (!isNodeId(node, task, named)) return failed(FOUND.nodePath(String(named)));
  return passed(FOUND.target(task, node));
}

/** 5: envelope, typed data, pinned deployment and every node that was asked are of one chain. */
export function checkChain({ action, domain, context: { deployment, readings } }: Subject): Finding {
  const { chainId } = deployment;
  const places: [string, unknown][] = [
    ['The action', action['chain_id']],
    ['What is signed', domain['chainId']],
  ];
  for (const { source, chainId: read } of readings) {
    if (read !== undefined) places.push([source === 'wallet' ? 'The wallet' : 'The service’s node', read]);
  }
  for (const [place, found] of places) {
    if (found !== chainId) return failed(FOUND.chainOf(place, foundText(found), chainId));
  }
  return passed(FOUND.chain(chainId));
}

/** 14: the origin is the configured one; https, except on the machine itself. */
export function checkSigningUrl({ action: { signing_url: url }, context: { deployment } }: Subject): Finding {
  if (typeof url !== 'string' || !URL.canParse(url)) return failed(FOUND.origin(foundText(url)));
  const { origin, protocol, hostname, username, password } = new URL(url);
  if (!URL.canParse(deployment.signingOrigin)) return failed(FOUND.unreadable);
  if (origin !== new URL(deployment.signingOrigin).origin || username !== '' || password !== '') {
    return failed(FOUND.origin(foundText(username === '' ? origin : url)));
  }
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) return failed(FOUND.originInsecure);
  return passed(origin);
}

/** Names and values of those members of the message that must be the signing wallet. */
function signersIn(subject: Subject): [string, unknown][] {
  const { rule, form, message } = subject;
  const signers: [string, unknown][] = [];
  if (form === 'authorization') signers.push(['from', message['from']]);
  if (form === 'permit') signers.push(['owner', message['owner']]);
  const own = rule?.signerMember ?? null;
  if (own !== null) signers.push([own, ownMember(subject, own)]);
  return signers;
}

/** The task, node and parent node that the path and the body of the request name. */
function askedTarget({ intent }: Subject): { taskId?: string; nodeId?: string; parentNodeId?: string } {
  const body = isObject(intent.body) ? intent.body : {};
  const { task_id: task, node_id: node, parent_node_id: parent } = body;
  const taskId = intent.taskId ?? (typeof task === 'string' ? task : undefined);
  const nodeId = intent.nodeId ?? (typeof node === 'string' ? node : undefined);
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(typeof parent === 'string' ? { parentNodeId: parent } : {}),
  };
}
