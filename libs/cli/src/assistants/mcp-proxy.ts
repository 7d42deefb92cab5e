import type { Fetch } from '#libs/sdk';

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown; readonly _meta?: Record<string, unknown> };
  readonly result?: { readonly protocolVersion?: unknown };
}

const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';
/** The JSON-RPC code of servers' own faults. */
const SERVER_FAULT = -32_000;
/** Which member names what is asked for (MCP 2026-07-28, standard headers). */
const NAMED_BY: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Takes messages of an MCP client to the market, and its answers back: newline-delimited JSON-RPC on one side, Streamable
 * HTTP on the other. It reads of them only what a header must repeat.
 */
export class McpProxy {
  private version: string | undefined;
  private session: string | undefined;

  constructor(
    private readonly url: string,
    private readonly fetch: Fetch,
    /** Headers of the credential, the newest ones. */
    private readonly authorization: () => Promise<Record<string, string>>,
    /** Takes one message for the client, without line breaks. */
    private readonly tell: (line: string) => void,
    private readonly signal: AbortSignal,
  ) {}

  /** Takes one line of the client. Never rejects: a request that fails is answered with an error. */
  async take(line: string): Promise<void> {
    if (line.trim() === '') return;
    let message: Message | null;
    try {
      message = JSON.parse(line) as Message | null;
    } catch {
      return this.tell('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Not JSON."}}');
    }
    if (typeof message !== 'object' || message === null) {
      return this.tell('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No message."}}');
    }
    try {
      await this.exchange(message, line);
    } catch (error) {
      if (!this.signal.aborted) this.refuse(message, error instanceof Error ? error.message : 'It has failed.');
    }
  }

  private async exchange(message: Message, body: string): Promise<void> {
    const headers = { ...this.headersOf(message), ...(await this.authorization()) };
    const response = await this.fetch(this.url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: this.signal,
    });
    this.session = response.headers.get('mcp-session-id') ?? this.session;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream') && response.body !== null) {
      for await (const data of eventsIn(response.body)) this.answer(data);
      return;
    }
    const text = await response.text();
    if (isRpc(text)) this.answer(text);
    else if (!response.ok) this.refuse(message, refusalIn(text, response.status));
  }

  /** One answer, or what the market says meanwhile. */
  private answer(text: string): void {
    const value = JSON.parse(text) as Message;
    const version = value.result?.protocolVersion;
    if (typeof version === 'string') this.version = version;
    this.tell(JSON.stringify(value));
  }

  private refuse({ id, method }: Message, message: string): void {
    // Nobody waits for an answer to what was none, or to a notification.
    if (id === undefined || id === null || method === undefined) return;
    this.tell(JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_FAULT, message } }));
  }

  private headersOf({ method = '', params }: Message): Record<string, string> {
    const own = params?._meta?.[VERSION_IN_META];
    const version = typeof own === 'string' ? own : this.version;
    const named = params?.[NAMED_BY[method] ?? 'name'];
    return {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(this.session === undefined ? {} : { 'Mcp-Session-Id': this.session }),
      ...(version === undefined ? {} : { 'MCP-Protocol-Version': version }),
      ...(typeof own === 'string' ? { 'Mcp-Method': method } : {}),
      ...(typeof own === 'string' && method in NAMED_BY && typeof named === 'string'
        ? { 'Mcp-Name': headerText(named) }
        : {}),
    };
  }
}

/** The data of each server-sent event. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text = (text + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      text = text.slice(end + 2);
      if (data.length > 0 && data.join('\n') !== '') yield data.join('\n');
    }
  }
}

function isRpc(text: string): boolean {
  try {
    return (JSON.parse(text) as { jsonrpc?: unknown }).jsonrpc === '2.0';
  } catch {
    return false;
  }
}

function refusalIn(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: string; reason?: string } };
    if (error?.reason !== undefined) return `${error.code}: ${error.reason}`;
  } catch {
    // Told by its status.
  }
  return status === 401 ? 'Not signed in: run tasktree login.' : `The market has answered with ${status}.`;
}

/** As the specification writes what a header cannot hold. */
function headerText(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?');
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
