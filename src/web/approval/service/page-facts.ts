import type { Deployment, Intent, TreeParties } from '#libs/prepared-action';
import type { ApprovalDocument, ApprovalPaths, ScreenText } from '#libs/approval-wire';
import { isRecord } from '../../wallets/json.js';
import { isDeployment, isTree } from './document-reader.js';
import { isLike, isListOf, isMaybe, isObjectOf, isText, type Shape } from './shapes.js';

type ScreenCatalogue = Readonly<Record<string, ScreenText>>;

/**
 * Facts of the request that the server writes into the HTML, from the row that the link belongs to. The JSON document
 * comes separately and must agree with them.
 */
export interface PageFacts {
  actionId: string;
  kind: string;
  principal: string;
  /** The wallet that is expected to sign. */
  wallet: string;
  taskId: string | null;
  nodeId: string | null;
  escrow: string;
  /** Buyer and arbiter, from which the address of the task's escrow follows. Null: not known. */
  tree: TreeParties | null;
  /** EIP-712 digest of the typed data. */
  digest: string;
  /** Words made of the digest, that the asking app shows as well. */
  matchCode: string;
  /** The texts of each screen. */
  words: ScreenCatalogue;
  deployment: Deployment;
  paths: ApprovalPaths;
}

/** A path of this host: `//other.example/x` would be a request to another one. */
const isOwnPath: Shape<string> = isLike(/^\/(?!\/)/);
const isPaths = isObjectOf<ApprovalPaths>({
  document: isOwnPath,
  submission: isOwnPath,
  decline: isOwnPath,
  renew: isOwnPath,
  link: isOwnPath,
  progress: isOwnPath,
  simulation: isOwnPath,
  delivery: isMaybe(isOwnPath),
  paymaster: isMaybe(isText),
  challenge: isText,
});

const isTexts = isListOf(isText);
const isCatalogue: Shape<ScreenCatalogue> = (value): value is ScreenCatalogue =>
  isRecord(value) && Object.values(value).every((texts) => isTexts(texts) && texts.length === 3);

/** The facts of the element's data attributes; null when one is missing or broken. */
export function pageFactsOf(data: Readonly<Record<string, string | undefined>>): PageFacts | null {
  const { actionId, kind, principal, wallet, escrow, digest } = data;
  const deployment = jsonOf(data['deployment']);
  const paths = jsonOf(data['paths']);
  const words = jsonOf(data['words']);
  const tree = jsonOf(data['tree']);
  const isWhole = actionId && kind && principal && wallet && escrow && digest;
  if (!isWhole || !isDeployment(deployment) || !isPaths(paths) || !isCatalogue(words)) return null;
  return {
    actionId,
    kind,
    principal,
    wallet,
    taskId: data['taskId'] || null,
    nodeId: data['nodeId'] || null,
    escrow,
    tree: isTree(tree) ? tree : null,
    digest,
    matchCode: data['matchCode'] ?? '',
    words,
    deployment,
    paths,
  };
}

/** The request in the form that the verifier takes. Its body is the one part that only the document has. */
export function intentOf(facts: PageFacts, { request }: ApprovalDocument): Intent {
  return {
    kind: facts.kind,
    principal: facts.principal,
    wallet: facts.wallet,
    ...(facts.taskId === null ? {} : { taskId: facts.taskId }),
    ...(facts.nodeId === null ? {} : { nodeId: facts.nodeId }),
    escrow: facts.escrow,
    ...(facts.tree === null ? {} : { tree: facts.tree }),
    digest: facts.digest,
    ...(request?.body === undefined ? {} : { body: request.body }),
  };
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
