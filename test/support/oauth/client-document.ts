import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Certificate } from './certificate.js';

const PATH = '/oauth/client.json';
/** What the handler of a path answers; by default the document as JSON. */
export type DocumentAnswer = (response: ServerResponse) => void;

/** The site of an application that publishes its metadata (CIMD): `https://client.example:PORT/oauth/client.json`. */
export class ClientDocumentHost {
  /** What is answered at the id's path. */
  document: Record<string, unknown> = {};
  private readonly others = new Map<string, DocumentAnswer>();
  /** Paths that were asked for. */
  readonly requests: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly certificate: Certificate,
    /** The application's id. */
    readonly clientId: string,
  ) {}

  /** @param name the service fetches so many documents from one host in a minute, whichever spec has published them. */
  static async listen(redirectUris: readonly string[], name = 'client.example'): Promise<ClientDocumentHost> {
    const certificate = Certificate.for([name]);
    const server = createServer(certificate.pair);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const host = new ClientDocumentHost(server, certificate, `https://${name}:${port}${PATH}`);
    host.document = {
      client_id: host.clientId,
      client_name: 'Example Assistant',
      client_uri: `https://${name}:${port}/`,
      redirect_uris: [...redirectUris],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    server.on('request', (request, response) => {
      host.requests.push(request.url ?? '');
      const other = host.others.get(request.url ?? '');
      if (other) return other(response);
      const isDocument = request.url === PATH;
      response.writeHead(isDocument ? 200 : 404, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=60' });
      response.end(isDocument ? JSON.stringify(host.document) : '{}');
    });
    return host;
  }

  /** Publishes another document, the one of the id with these members; gives its own id. */
  publish(own: Readonly<Record<string, unknown>>): string {
    const path = `/oauth/${randomUUID()}.json`;
    const clientId = new URL(path, this.clientId).href;
    const text = JSON.stringify({ ...this.document, client_id: clientId, ...own });
    return this.answer(path, (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(text);
    });
  }

  /** Answers at this path in another way; gives the id that would be. */
  answer(path: string, answer: DocumentAnswer): string {
    this.others.set(path, answer);
    return new URL(path, this.clientId).href;
  }

  /** What a service needs to be told so that the host is found and believed, as a public one would be. */
  get variables(): Record<string, string> {
    return {
      NODE_OPTIONS: `--require ${resolve('test/support/oauth/dns-preload.cjs')}`,
      NODE_EXTRA_CA_CERTS: this.certificate.certificatePath,
      OAUTH_PRIVATE_NETWORKS: '127.0.0.0/8',
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((done) => this.server.close(() => done()));
    this.certificate.remove();
  }
}
