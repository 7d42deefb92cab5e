import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Certificate } from '../../support/oauth/certificate.js';

const PATH = '/oauth/client.json';
/** Writes the answer for a path; by default the document is answered as JSON. */
export type DocumentAnswer = (response: ServerResponse) => void;

/** The site of an application that publishes its metadata (CIMD): `https://client.example:PORT/oauth/client.json`. */
export class ClientDocumentHost {
  /** The document that is answered at the client id's path. */
  document: Record<string, unknown> = {};
  private readonly others = new Map<string, DocumentAnswer>();
  /** Paths that were requested. */
  readonly requests: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly certificate: Certificate,
    /** The application's client id. */
    readonly clientId: string,
  ) {}

  /** @param name host name; the service limits fetches per host and minute, whichever spec publishes there. */
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

  /**
   * Publishes another document: that of the client id, with these members changed.
   * @returns the new document's own id.
   */
  publish(own: Readonly<Record<string, unknown>>): string {
    const path = `/oauth/${randomUUID()}.json`;
    const clientId = new URL(path, this.clientId).href;
    const text = JSON.stringify({ ...this.document, client_id: clientId, ...own });
    return this.answer(path, (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(text);
    });
  }

  /** Answers this path differently. @returns the client id for this path. */
  answer(path: string, answer: DocumentAnswer): string {
    this.others.set(path, answer);
    return new URL(path, this.clientId).href;
  }

  /** Variables that make a service resolve and trust this host as it would a public one. */
  get variables(): Record<string, string> {
    return {
      NODE_OPTIONS: `--require ${resolve('test/e2e/oauth/dns-preload.cjs')}`,
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
