import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What happens to bytes that the service sends: they are passed on, lost, or passed on without any answer coming back.
 */
export type Verdict = 'pass' | 'drop' | 'mute';

/** One connection of the service, as the proxy sees it. */
export interface ProxiedConnection {
  /** Everything that the service has sent on it. */
  sent: string;
  isMuted: boolean;
}

interface Pair {
  near: Socket;
  far: Socket;
  state: ProxiedConnection;
}

/** Stands between the service and a TCP server, and can make that server unreachable. */
export class TcpProxy {
  /** Decides about every chunk that the service sends. */
  intercept: (connection: ProxiedConnection, chunk: string) => Verdict = () => 'pass';
  private mode: 'pass' | 'refuse' | 'hang' = 'pass';
  private readonly pairs = new Set<Pair>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(targetPort: number): Promise<TcpProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new TcpProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (near) => proxy.accept(near, targetPort));
    return proxy;
  }

  /** Passes everything on, including what was held back. */
  pass(): void {
    this.mode = 'pass';
    for (const { near, far } of this.pairs) {
      near.resume();
      far.resume();
    }
  }

  /** Makes the server unreachable: open connections are cut, new ones refused. */
  refuse(): void {
    this.mode = 'refuse';
    this.cut();
  }

  /** Makes the server silent: nothing is cut and nothing answered, as with a stopped machine or a lost route. */
  hang(): void {
    this.mode = 'hang';
    for (const { near, far } of this.pairs) {
      near.pause();
      far.pause();
    }
  }

  /** Cuts all open connections. */
  cut(): void {
    for (const { near, far } of this.pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(near: Socket, targetPort: number): void {
    if (this.mode === 'refuse') return void near.resetAndDestroy();
    const far = connect(targetPort, '127.0.0.1');
    const pair: Pair = { near, far, state: { sent: '', isMuted: false } };
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.on('data', (chunk: Buffer) => this.forward(pair, chunk));
    far.on('data', (chunk: Buffer) => {
      if (!pair.state.isMuted) near.write(chunk);
    });
    if (this.mode !== 'hang') return;
    near.pause();
    far.pause();
  }

  private forward({ far, state }: Pair, chunk: Buffer): void {
    const text = chunk.toString('latin1');
    const verdict = this.intercept(state, text);
    state.sent += text;
    if (verdict === 'mute') state.isMuted = true;
    if (verdict !== 'drop') far.write(chunk);
  }
}
