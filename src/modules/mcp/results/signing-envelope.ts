import type { CallToolResult } from '@modelcontextprotocol/server';

/** What a prepare tool returns: everything that a person needs to find and recognise the request, nothing that is signed. */
export interface SigningEnvelope {
  action_id: string;
  kind: string;
  /** What signing does, in a sentence of the service's own words. */
  summary: string;
  status: 'awaiting_signature';
  match_code: string;
  /** CAIP-2, such as `eip155:8453`. */
  chain: string;
  wallet_address: string;
  task_id: string;
  node_id?: string;
  /** Money that the action is about, such as "250.00 USDC"; absent: it is about none. */
  amount?: string;
  signing_url: string;
  /** ISO 8601, UTC. */
  expires_at: string;
  /** How many of the fifteen checks of a prepared action hold before a wallet is connected. */
  checks_passed: number;
}

/** The members that a program needs; the others are for people, and each tool would repeat the schema of them. */
const STATED = ['action_id', 'status', 'match_code', 'signing_url', 'expires_at'] satisfies (keyof SigningEnvelope)[];

/** Schema of the envelope, for `outputSchema`; the same object for every tool. */
export const ENVELOPE_SCHEMA = {
  type: 'object' as const,
  properties: Object.fromEntries(STATED.map((name) => [name, { type: 'string' as const }])),
  required: [...STATED],
};

/** The envelope as a tool's result: structured, and as a text that no reader takes for a thing that is done. */
export function envelopeResult(envelope: SigningEnvelope): CallToolResult {
  const { action_id: id, summary, wallet_address: wallet, match_code: code, signing_url: url } = envelope;
  const text = [
    `Not done yet. ${summary}`,
    `The wallet ${wallet} must review and sign it at ${url} (until ${envelope.expires_at}).`,
    `The page shows the match code ${code}. The action is ${id}.`,
  ].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: { ...envelope } };
}
