import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject, objectIn } from '../operations/json-value.js';
import type { SigningEnvelope } from '../results/signing-envelope.js';

/**
 * Asks a client that can open links by itself to show the approval page (URL elicitation of the revision 2026-07-28); null
 * for any other, and once the client has answered. It comes before the result, which has the link in every case. Whether
 * the person has signed is no part of the answer: a client says only that it has shown the link.
 * @param idempotencyKey names the same action when the client calls again.
 */
export function linkRequest(
  { signing_url: url, summary, match_code: code }: SigningEnvelope,
  idempotencyKey: string,
  { mcpReq }: ServerContext,
): InputRequiredResult | null {
  if (mcpReq.inputResponses !== undefined || !opensLinks(mcpReq.envelope)) return null;
  const message = `${summary} Review it and sign with your wallet. The page shows the match code ${code}.`;
  return inputRequired({
    inputRequests: { sign: inputRequired.elicitUrl({ message, url }) },
    requestState: idempotencyKey,
  });
}

function opensLinks(envelope: unknown): boolean {
  if (!isObject(envelope)) return false;
  return isObject(objectIn(objectIn(envelope, CLIENT_CAPABILITIES_META_KEY), 'elicitation')['url']);
}
