import { Interface } from 'ethers';
import { decodeEscrowOfResult, encodeEscrowOfCall, taskEscrowFactoryAbi, treeIdOf } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { LocalChain, Mined } from '../../local-chain/local-chain.js';
import type { LocalFile } from '../../market-folder/local-file.js';
import { hexText, type ReadyCall } from '../parties/action-check.js';
import { type Approval, byProgram } from '../approval/approval.js';
import { Actor } from '../parties/actor.js';
import { expectThat, type StepReporter } from '../parties/step-reporter.js';

const FACTORY = new Interface(taskEscrowFactoryAbi);

/** What every part of the demo plays on: the running market's addresses, its chain, and who tells the story. */
export class DemoContext {
  private constructor(
    readonly file: LocalFile,
    readonly chain: LocalChain,
    readonly teller: StepReporter,
    /** Who presses Sign at the one step that is a person's. */
    readonly approval: Approval,
    private readonly implementation: Hex,
  ) {}

  /** What every escrow is a clone of is read off the factory once, before the first action. */
  static async open(
    file: LocalFile,
    chain: LocalChain,
    teller: StepReporter,
    approval: Approval = byProgram,
  ): Promise<DemoContext> {
    const data = FACTORY.encodeFunctionData('implementation');
    const answer = await chain.provider.call({ to: file.escrow_factory_address, data });
    const [implementation] = FACTORY.decodeFunctionResult('implementation', answer);
    return new DemoContext(file, chain, teller, approval, hexText(String(implementation)));
  }

  player(name: string): Actor {
    return Actor.of(this.file, { chain: this.chain, implementation: this.implementation }, name);
  }

  /**
   * Takes a signed call to the chain with a wallet of the demo's own, which is no party to anything: the signature is
   * inside, so anyone may carry it. The service never sends.
   */
  async carry(call: ReadyCall | undefined, what: string): Promise<Mined> {
    expectThat(call !== undefined, `The service gave no call for ${what}.`);
    expectThat(call.from === undefined, `Only ${call.from ?? ''} may send the call for ${what}.`);
    return this.chain.send(this.chain.relayer, call.to, call.data);
  }

  /** Where the tree of a task lives, by the factory's own word. */
  async escrowOf(tree: { buyer: string; arbiter: string; taskId: string }): Promise<Hex> {
    const data = encodeEscrowOfCall({ ...tree, treeId: treeIdOf(tree.taskId) });
    return decodeEscrowOfResult(await this.view(this.file.escrow_factory_address, data));
  }

  /** What a contract says now. */
  view(to: string, data: string): Promise<string> {
    return this.chain.provider.call({ to, data });
  }
}
