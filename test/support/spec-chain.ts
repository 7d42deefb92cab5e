import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export const ANVIL_CHAIN_ID = 31337;

/** A local chain that belongs to one spec. */
export class Anvil {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(args: readonly string[] = []): Promise<Anvil> {
    const own = ['--host', '127.0.0.1', '--chain-id', String(ANVIL_CHAIN_ID), '--port', '0'];
    // The hard fork that the contracts are compiled for; a spec may name another one.
    const fork = args.includes('--hardfork') ? [] : ['--hardfork', 'cancun'];
    const child = spawn(anvilBinary(), [...own, ...fork, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /^Listening on (\S+)$/.exec(line)?.[1];
      if (address === undefined) continue;
      child.stdout.resume();
      return new Anvil(child, `http://${address}`);
    }
    throw new Error('anvil ended before it listened');
  }

  /** The `result` of one JSON-RPC call. Rejects with the message of an error answer. */
  async rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { result: T; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  async blockNumber(): Promise<number> {
    return Number(await this.rpc('eth_blockNumber'));
  }

  async mine(blocks = 1): Promise<void> {
    for (let mined = 0; mined < blocks; mined += 1) await this.rpc('evm_mine');
  }

  /** Replaces the newest `depth` blocks by as many others. */
  async reorg(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', depth, []);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

/** Path of the program in this platform's package, an optional dependency of `@foundry-rs/anvil`. */
function anvilBinary(): string {
  const require = createRequire(`${process.cwd()}/package.json`);
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`;
  const anvil = require.resolve('@foundry-rs/anvil/package.json');
  return join(dirname(createRequire(anvil).resolve(name)), 'bin', 'anvil');
}
