import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/loopback-port.js';

/** Path of a `nats-server`; empty: there is none, and what needs one is not run. */
export const { NATS_TEST_SERVER = '' } = process.env;

/** A message as the stream has it. */
export interface StoredMessage {
  subject: string;
  body: string;
  header(name: string): string;
}

/** Somebody who is connected to the server. */
export interface NatsClient {
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
}

/** A NATS server with JetStream of the spec's own, which may be killed and started again on its data. */
export class NatsServer {
  private child: ChildProcess | null = null;
  private readonly clients: NatsConnection[] = [];

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Starts one. @param further lines of its configuration, for its users for example. */
  static async start(further = ''): Promise<NatsServer> {
    const server = new NatsServer(mkdtempSync(join(tmpdir(), 'nats-')), await freePort());
    const lines = [`listen: "127.0.0.1:${server.port}"`, `jetstream { store_dir: "${server.folder}" }`, further];
    writeFileSync(server.config, lines.join('\n'));
    await server.run();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Starts it again. */
  async run(): Promise<void> {
    const child = spawn(NATS_TEST_SERVER, ['-c', this.config], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`nats-server has ended: ${output}`);
      return this.listens();
    });
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Connects somebody, for as long as the server is used. */
  async client(options: ConnectionOptions = {}, apiPrefix?: string): Promise<NatsClient> {
    const connection = await connect({ servers: `127.0.0.1:${this.port}`, ...options });
    this.clients.push(connection);
    const api = apiPrefix === undefined ? {} : { apiPrefix };
    const jsm = await jetstreamManager(connection, { checkAPI: false, ...api });
    return { connection, jsm, js: jetstream(connection, api) };
  }

  /** All messages of a stream in their order. */
  async stored(name: string, options: ConnectionOptions = {}): Promise<StoredMessage[]> {
    const { connection, jsm, js } = await this.client(options);
    try {
      const { messages } = (await jsm.streams.info(name)).state;
      const stored: StoredMessage[] = [];
      if (messages === 0) return stored;
      const all = await (await js.consumers.get(name)).consume({ max_messages: 1_000 });
      for await (const message of all) {
        const { subject, headers } = message;
        stored.push({ subject, body: message.string(), header: (header) => headers?.get(header) ?? '' });
        if (stored.length === messages) break;
      }
      return stored;
    } finally {
      await connection.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((connection) => connection.close()));
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get config(): string {
    return join(this.folder, 'nats.conf');
  }

  private listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connectSocket(this.port, '127.0.0.1')
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false))
        .once('close', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }
}
