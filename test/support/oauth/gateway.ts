import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { Certificate } from './certificate.js';

export type GatewayKind = 'nginx' | 'haproxy';

export const GATEWAY_HOST = 'gateway.example';
/** Path prefix that the gateway removes before it passes a request on. */
export const GATEWAY_PREFIX = '/market';
const START_MS = 10_000;

/** Headers by which a badly configured gateway, or a client whose headers are passed on, lies to the service. */
export const HOSTILE_HEADERS: Readonly<Record<string, string>> = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'http',
  'X-Forwarded-Port': '81',
  'X-Forwarded-Prefix': '/evil',
  'X-Forwarded-Path': '/evil',
  'X-Forwarded-Server': 'evil.example',
  'X-Original-URL': '/evil',
  'X-Rewrite-URL': '/evil',
  'X-Host': 'evil.example',
  Forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
};

/** Path of the program, or null when it is not installed. */
export function gatewayProgram(kind: GatewayKind): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, kind)).find(isProgram) ?? null;
}

/** A real reverse proxy with TLS that removes a path prefix: `https://gateway.example:PORT/market`. */
export class Gateway {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly certificate: Certificate,
    readonly port: number,
    private readonly agent: Agent,
  ) {}

  /** @param isHostile true: it puts `HOSTILE_HEADERS` into every request in place of the true ones. */
  static async start(
    kind: GatewayKind,
    ports: { own: number; upstream: number },
    isHostile: boolean,
  ): Promise<Gateway> {
    const program = gatewayProgram(kind);
    if (program === null) throw new Error(`${kind} is not installed`);
    const folder = mkdtempSync(join(tmpdir(), `tasktree-${kind}-`));
    const certificate = Certificate.for([GATEWAY_HOST]);
    const config = join(folder, 'gateway.conf');
    const parts = { ...ports, folder, certificate, headers: isHostile ? HOSTILE_HEADERS : honestHeaders(ports.own) };
    writeFileSync(config, kind === 'nginx' ? nginxConfig(parts) : haproxyConfig(parts));
    const args =
      kind === 'nginx' ? ['-p', folder, '-c', config, '-e', join(folder, 'error.log')] : ['-f', config, '-db'];
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const { cert } = certificate.pair;
    const agent = new Agent({ connect: { ca: cert, lookup: (_host, _options, done) => done(null, [LOOPBACK]) } });
    const gateway = new Gateway(child, folder, certificate, ports.own, agent);
    if (await isListening(ports.own, child)) return gateway;
    await gateway.stop();
    throw new Error(`${kind} does not listen: ${said}`);
  }

  get baseUrl(): string {
    return gatewayUrl(this.port);
  }

  /** `fetch` that resolves the gateway's name and trusts its certificate. */
  readonly fetch = ((url: string | URL, init?: RequestInit) =>
    undiciFetch(url, { ...(init as object), dispatcher: this.agent })) as unknown as typeof globalThis.fetch;

  async stop(): Promise<void> {
    await this.agent.destroy();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    this.certificate.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function gatewayUrl(port: number): string {
  return `https://${GATEWAY_HOST}:${port}${GATEWAY_PREFIX}`;
}

const LOOPBACK = { address: '127.0.0.1', family: 4 };

interface GatewayParts {
  own: number;
  upstream: number;
  folder: string;
  certificate: Certificate;
  headers: Readonly<Record<string, string>>;
}

function honestHeaders(port: number): Record<string, string> {
  return { Host: `${GATEWAY_HOST}:${port}`, 'X-Forwarded-Proto': 'https' };
}

/**
 * For an issuer with a path, RFC 8414 puts the metadata's path before the issuer's, so the gateway routes these outside
 * its prefix.
 */
const OUTSIDE_PREFIX = ['oauth-authorization-server', 'oauth-protected-resource'].map((name) => `/.well-known/${name}`);

function nginxConfig({ own, upstream, folder, certificate, headers }: GatewayParts): string {
  const setHeaders = Object.entries(headers).map(([name, value]) => `proxy_set_header ${name} "${value}";`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
pid ${join(folder, 'pid')};
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')}
  server {
    listen 127.0.0.1:${own} ssl;
    server_name ${GATEWAY_HOST};
    ssl_certificate ${certificate.certificatePath};
    ssl_certificate_key ${certificate.keyPath};
    absolute_redirect off;
    proxy_http_version 1.1;
    ${setHeaders.join('\n    ')}
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_redirect off;
    ${OUTSIDE_PREFIX.map((path) => `location = ${path}${GATEWAY_PREFIX} { proxy_pass http://127.0.0.1:${upstream}${path}; }`).join('\n    ')}
    location ${GATEWAY_PREFIX}/ { proxy_pass http://127.0.0.1:${upstream}/; }
    location / { return 404; }
  }
}
`;
}

function haproxyConfig({ own, upstream, certificate, folder, headers }: GatewayParts): string {
  const bundle = join(folder, 'bundle.pem');
  const { cert, key } = certificate.pair;
  writeFileSync(bundle, `${cert}${key}`, { mode: 0o600 });
  return `
global
  log stderr local0 err
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend gateway
  bind 127.0.0.1:${own} ssl crt ${bundle}
  acl outside path ${OUTSIDE_PREFIX.map((path) => `${path}${GATEWAY_PREFIX}`).join(' ')}
  acl inside path_beg ${GATEWAY_PREFIX}/
  http-request deny deny_status 404 if !outside !inside
  http-request replace-path ^(.*)${GATEWAY_PREFIX}$ \\1 if outside
  http-request replace-path ^${GATEWAY_PREFIX}/(.*) /\\1 if inside
  ${Object.entries(headers)
    .map(([name, value]) => `http-request set-header ${name} "${value}"`)
    .join('\n  ')}
  http-request set-header X-Forwarded-For %[src]
  default_backend service
backend service
  server service 127.0.0.1:${upstream}
`;
}

async function isListening(port: number, child: ChildProcess): Promise<boolean> {
  const until = Date.now() + START_MS;
  while (Date.now() < until && child.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
