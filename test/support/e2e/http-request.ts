import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { type ApiAnswer, localMarket, parsed } from '../market.js';

export interface RawRequest {
  method?: string;
  /** Headers, sent unchanged. Pairs allow the same header twice. */
  headers?: readonly (readonly [string, string])[] | Record<string, string>;
  /** The body, sent unchanged. */
  body?: string | Buffer;
}

const ANSWER_MS = 20_000;

/** Sends exactly this target and these headers, which `fetch` would normalise. */
export function send(target: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<ApiAnswer> {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const { hostname, port } = new URL(localMarket().base_url);
  const names = new Map<string, string[]>();
  for (const [name, value] of pairs) names.set(name, [...(names.get(name) ?? []), value]);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      path: target,
      method,
      agent: false,
      headers: Object.fromEntries(
        [...names].map(([name, values]): [string, string | string[]] => [
          name,
          values.length > 1 ? values : values[0]!,
        ]),
      ),
      timeout: ANSWER_MS,
    });
    request.on('timeout', () => request.destroy(new Error(`No answer to ${method} ${target.slice(0, 80)}`)));
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const answered = new Headers(pairsOf(response.rawHeaders));
        resolve({ status: response.statusCode!, headers: answered, text, body: parsed(text) });
      });
    });
    request.end(body);
  });
}

/** Writes these bytes to a new connection and reads until the service closes it. */
export function sendBytes(bytes: string): Promise<ApiAnswer> {
  const { hostname, port } = new URL(localMarket().base_url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('The service did not answer')));
    socket.on('data', (chunk) => chunks.push(chunk));
    // The service may close the connection while a long request is still being written.
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)));
    socket.on('end', finish);
    function finish(): void {
      socket.destroy();
      const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
      const [statusLine = '', ...lines] = head.split('\r\n');
      const headers = new Headers(
        lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
      );
      const text = rest.join('\r\n\r\n');
      resolve({ status: Number(statusLine.split(' ')[1]), headers, text, body: parsed(text) });
    }
    socket.write(bytes, 'latin1');
  });
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((value, index): [string, string][] => (index % 2 === 0 ? [[value, raw[index + 1] ?? '']] : []));
}
