import { request as httpRequest } from 'node:http';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError as OlderUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpProvider } from '../oauth/mcp-provider.js';
import type { Consent, Person } from '../oauth/person.js';

/** What specs use of both official clients. */
export interface McpClient {
  listTools(): Promise<{ tools: any[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }, ...rest: any[]): Promise<any>;
  close(): Promise<void>;
}

/** A connected client, with what it was shown on the way. */
export interface McpConnection {
  client: McpClient;
  /** Protocol revision that both sides speak. */
  revision: string | undefined;
  /** Links that the client was asked to show (URL elicitation). */
  shown: string[];
  provider: McpProvider | undefined;
}

const INFO = { name: 'spec', version: '1.0.0' };

/** How a client comes to its credential: by OAuth and a person, or by a key in a header. */
export type Access = { person: Person; callback: string; name: string; consent?: Consent } | { key: string };

/** The client of the revision 2026-07-28, which falls back by itself. It opens links when `opensLinks`. */
export async function newerClient(url: string, access: Access, opensLinks = false): Promise<McpConnection> {
  const shown: string[] = [];
  const make = () => {
    const client = new Client(INFO, {
      versionNegotiation: { mode: 'auto' },
      capabilities: opensLinks ? { elicitation: { url: {} } } : {},
    });
    if (opensLinks) {
      client.setRequestHandler('elicitation/create', ({ params }: any) => {
        shown.push(params.url);
        return { action: 'accept' as const };
      });
    }
    return client;
  };
  const transportOf = (own: object) => new StreamableHTTPClientTransport(new URL(url), own as any);
  const { client, provider } = await connected(make, transportOf, access, UnauthorizedError);
  return { client, revision: client.getNegotiatedProtocolVersion(), shown, provider };
}

/** The client of the revisions up to 2025-11-25. */
export async function olderClient(url: string, access: Access): Promise<McpConnection> {
  const transportOf = (own: object) => new OlderTransport(new URL(url), own as any);
  const make = () => new OlderClient(INFO);
  const { client, provider } = await connected<OlderClient>(make, transportOf as any, access, OlderUnauthorizedError);
  const { protocolVersion: revision } = client.transport as OlderTransport;
  return { client: client as unknown as McpClient, revision, shown: [], provider };
}

/** Connects; with a person first to where the client sends them, and then again with the code. */
async function connected<C extends { connect(transport: any): Promise<void> }>(
  make: () => C,
  transportOf: (own: object) => { finishAuth(code: any, iss?: string): Promise<void> },
  access: Access,
  unauthorized: new (...args: any[]) => Error,
): Promise<{ client: C; provider: McpProvider | undefined }> {
  if ('key' in access) {
    const client = make();
    await client.connect(transportOf({ requestInit: { headers: { 'X-Api-Key': access.key } } }));
    return { client, provider: undefined };
  }
  const provider = new McpProvider(access.callback);
  Object.defineProperty(provider, 'clientMetadata', {
    value: { ...provider.clientMetadata, client_name: access.name },
  });
  const transport = transportOf({ authProvider: provider });
  const refused: unknown = await make()
    .connect(transport)
    .catch((error: unknown) => error);
  if (!(refused instanceof unauthorized)) throw new Error(`The client did not ask a person: ${String(refused)}`);
  const { authorizationCode, iss } = provider.accepted(
    await access.person.authorize(provider.authorizationUrl, access.consent ?? {}),
  );
  await transport.finishAuth(authorizationCode, iss);
  const client = make();
  await client.connect(transportOf({ authProvider: provider }));
  return { client, provider };
}

/** Posts a message by plain HTTP, with any Host. */
export function postMessage(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: any }> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Content-Length': Buffer.byteLength(text),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8');
          const data = /^data: (.*)$/m.exec(answer)?.[1] ?? answer;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: data === '' ? null : JSON.parse(data),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

/** A tool's text as JSON. */
export const contentOf = (result: any): any => JSON.parse(result.content[0].text);
