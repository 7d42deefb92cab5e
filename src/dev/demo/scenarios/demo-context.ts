import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interface } from 'ethers';
import { decodeEscrowOfResult, encodeEscrowOfCall, taskEscrowFactoryAbi, treeIdOf } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { LocalChain } from '../../local-chain/local-chain.js';
import type { LocalFile } from '../../market-folder/local-file.js';
import { MarketFolder } from '../../market-folder/market-folder.js';
import type { Approval } from '../approval/approval.js';
import type { DemoMarket } from '../demo-market.js';
import { Actor } from '../parties/actor.js';
import { expectThat, type StepReporter } from '../parties/step-reporter.js';

const FACTORY = new Interface(taskEscrowFactoryAbi);
const SIGNER = new URL('../parties/wallet.main.js', import.meta.url);

/** Members of what is signed, as the story knows them. */
export type Expected = Readonly<Record<string, unknown>>;

/** What all parts of the demo share: the running market's addresses, its chain, and the folder of the command lines. */
export class DemoContext {
  private expectations = 0;

  private constructor(
    readonly market: DemoMarket,
    readonly chain: LocalChain,
    readonly reporter: StepReporter,
    /** Decides on the one action that a person signs. */
    readonly approval: Approval,
    private readonly folder: string,
  ) {}

  /** Makes the folder of the command lines, with their signer in it; it is deleted when this process ends. */
  static open(market: DemoMarket, chain: LocalChain, reporter: StepReporter, approval: Approval): DemoContext {
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-demo-lines-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'wallet.mjs'), `await import('${SIGNER.href}');\n`);
    return new DemoContext(market, chain, reporter, approval, folder);
  }

  get file(): LocalFile {
    return this.market.file;
  }

  actor(name: string): Actor {
    const marketFile = new MarketFolder(this.market.folder).localFile;
    return Actor.of(this.file, { folder: this.folder, marketFile }, name);
  }

  /**
   * Has `tasktree` keep the chain and the contracts that the market names, by which it checks all actions. Throws
   * DemoMismatch unless they are those of the market's file and of the chain.
   */
  async pin(who: Actor): Promise<void> {
    const { ok } = await who.ask<{ ok: boolean }>('doctor');
    const profile = readFileSync(join(this.folder, 'tasktree/default.json'), 'utf8');
    const { deployment } = JSON.parse(profile) as { deployment: Record<string, string | number> };
    const { chain_id, usdc_address: usdc, escrow_factory_address: factory } = this.file;
    const answer = await this.view(factory, FACTORY.encodeFunctionData('implementation'));
    const implementation = String(FACTORY.decodeFunctionResult('implementation', answer)[0]);
    const wanted: Record<string, string | number> = { chainId: chain_id, factory, implementation, usdc };
    const isSame = (name: string): boolean => `${deployment[name]}`.toLowerCase() === `${wanted[name]}`.toLowerCase();
    expectThat(ok && Object.keys(wanted).every(isSame), 'The market names another chain or other contracts.');
  }

  /** Writes a file for a command line, and returns its name. */
  written(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return name;
  }

  /** The option that holds what is signed against what the story knows. */
  expecting(members: Expected): string[] {
    this.expectations += 1;
    const text = JSON.stringify(members, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    return ['--expect', this.written(`expected-${this.expectations}.json`, text)];
  }

  /** Asks the factory for the escrow address of a task's tree. */
  async escrowOf(tree: { buyer: string; arbiter: string; taskId: string }): Promise<Hex> {
    const data = encodeEscrowOfCall({ ...tree, treeId: treeIdOf(tree.taskId) });
    return decodeEscrowOfResult(await this.view(this.file.escrow_factory_address, data));
  }

  /** Calls a contract at the newest block and returns the encoded result. */
  view(to: string, data: string): Promise<string> {
    return this.chain.provider.call({ to, data });
  }
}
