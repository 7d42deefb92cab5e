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

/** What all parts of the demo share: the running market's addresses, its chain, and the reporter of the steps. */
export class DemoContext {
  private constructor(
    readonly file: LocalFile,
    readonly chain: LocalChain,
    readonly reporter: StepReporter,
    /** Decides on the one action that a person signs. */
    readonly approval: Approval,
    private readonly implementation: Hex,
  ) {}

  /** Reads the address of the escrow implementation from the factory, once for the whole demo. */
  static async open(
    file: LocalFile,
    chain: LocalChain,
    reporter: StepReporter,
    approval: Approval = byProgram,
  ): Promise<DemoContext> {
    const data = FACTORY.encodeFunctionData('implementation');
    const answer = await chain.provider.call({ to: file.escrow_factory_address, data });
    const [implementation] = FACTORY.decodeFunctionResult('implementation', answer);
    return new DemoContext(file, chain, reporter, approval, hexText(String(implementation)));
  }

  actor(name: string): Actor {
    return Actor.of(this.file, { chain: this.chain, implementation: this.implementation }, name);
  }

  /**
   * Sends a signed call to the chain from a wallet that is no party to any task: the call contains the signature, so
   * anyone may send it. The service never sends transactions. Throws DemoMismatch when there is no call, or when only
   * one wallet may send it.
   */
  async carry(call: ReadyCall | undefined, what: string): Promise<Mined> {
    expectThat(call !== undefined, `The service gave no call for ${what}.`);
    expectThat(call.from === undefined, `Only ${call.from ?? ''} may send the call for ${what}.`);
    return this.chain.send(this.chain.relayer, call.to, call.data);
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
