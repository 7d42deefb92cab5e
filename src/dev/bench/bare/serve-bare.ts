import { createServer, type IncomingMessage } from 'node:http';
import { stderr, stdout } from 'node:process';

/**
 * Serves a baseline on a free loopback port, and prints the port as a line of JSON. A failed answer is a 500, and its
 * reason is printed.
 * @param answerOf returns the JSON of the answer to a request.
 */
export function serveBare(answerOf: (request: IncomingMessage) => Promise<string | Buffer>): void {
  const server = createServer((request, response) => {
    request.resume();
    answerOf(request).then(
      (json) => {
        const body = typeof json === 'string' ? Buffer.from(json) : json;
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
        response.end(body);
      },
      (error: unknown) => {
        response.writeHead(500, { 'Content-Length': 0 });
        response.end();
        stderr.write(`${String(error)}\n`);
      },
    );
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') stdout.write(`${JSON.stringify({ port: address.port })}\n`);
  });
}
