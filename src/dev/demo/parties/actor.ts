import { dirname } from 'node:path';
import { Wallet } from 'ethers';
import { type Hex, isHex } from '#libs/kernel';
import type { LocalFile } from '../../market-folder/local-file.js';
import { commandLine, ended, faultOf, type Place, Running } from './tasktree-run.js';
import { expectThat } from './step-reporter.js';

/** Where the demo's command lines run, and the market's file, out of which their signer reads the key. */
export interface Ground {
  folder: string;
  marketFile: string;
}

/** An action as `tasktree` shows it once it has passed the fifteen checks. */
export interface ShownAction {
  action_id: string;
  task_id: string;
  node_id?: string;
  match_code: string;
  signing_url: string;
  digest: string;
}

/** What a command line has done that signs. */
export interface Act {
  /** As a person would type it. */
  line: string;
  action: ShownAction;
  /** Hash of the transaction; empty: the action needs none. */
  hash: string;
}

/** A program that signs, in the folder of the command lines. */
const SIGNER = 'node wallet.mjs';

/** An account of the running market: somebody with API keys and a wallet who works with `tasktree`. */
export class Actor {
  private readonly place: Place;

  private constructor(
    readonly name: string,
    readonly accountId: string,
    readonly wallet: Wallet,
    file: LocalFile,
    keys: Readonly<Record<string, string>>,
    { folder, marketFile }: Ground,
  ) {
    const env = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
      XDG_CONFIG_HOME: folder,
      TASKTREE_URL: file.base_url,
      TASKTREE_RPC_URL: file.rpc_url,
      TASKTREE_READ_KEY: keys['read'],
      TASKTREE_BUYER_KEY: keys['buyer'],
      TASKTREE_WORKER_KEY: keys['worker'],
      TASKTREE_AGENT_OWNER_KEY: keys['agent-owner'],
      DEMO_MARKET_FILE: marketFile,
      DEMO_NAME: name,
    };
    this.place = { folder, env };
  }

  /** Returns the actor for the market's account of this name. Throws DemoMismatch when there is none. */
  static of(file: LocalFile, ground: Ground, name: string): Actor {
    const local = file.accounts.find((one) => one.name === name);
    expectThat(
      local !== undefined,
      `The market has no account called ${name}: start one with its sample data (npm start -- --reset).`,
    );
    return new Actor(name, local.account_id, new Wallet(local.wallet_private_key), file, local.keys, ground);
  }

  get address(): Hex {
    return hexText(this.wallet.address);
  }

  /** Runs `tasktree` and returns what it answers, a list as its members. Throws DemoMismatch unless it ends with 0. */
  async list<T>(...argv: string[]): Promise<T[]> {
    const answer = await ended(argv, this.place);
    if (answer.exit !== 0) throw faultOf(argv, answer);
    return answer.lines as T[];
  }

  /** As `list`, where one answer is expected. */
  async ask<T>(...argv: string[]): Promise<T> {
    const [answer] = await this.list<T>(...argv);
    expectThat(answer !== undefined, `${commandLine(argv)} has answered nothing.`);
    return answer;
  }

  /**
   * Has an action prepared, checked, signed and sent. Throws DemoMismatch when it does not come to its end.
   * @param words of the command line, in groups as they are made.
   */
  async act(...words: (string | readonly string[])[]): Promise<Act> {
    const signing = [...words.flat(), '--signer', SIGNER];
    const [action, record] = await this.list<ShownAction & { transaction_hash?: string }>(...signing);
    expectThat(action !== undefined && record !== undefined, `${commandLine(signing)} has not told what came of it.`);
    return { line: commandLine(signing), action, hash: record.transaction_hash ?? '' };
  }

  /** Runs what has to be refused with this exit code, and returns the code of the error. Throws DemoMismatch otherwise. */
  async refused(exit: number, ...argv: string[]): Promise<string> {
    const answer = await ended(argv, this.place);
    if (answer.exit !== exit) throw faultOf(argv, answer);
    const { error } = JSON.parse(answer.err) as { error: { code: string } };
    return error.code;
  }

  /** Starts what goes on until it is stopped. @param heard is told each line of its output. */
  start(argv: readonly string[], heard?: (line: string) => void): Running {
    return new Running(argv, this.place, heard);
  }
}

/** Throws DemoMismatch on text that is not 0x-hex. */
export function hexText(text: string): Hex {
  expectThat(isHex(text), 'There is something that is not 0x-hex where it has to be.');
  return text;
}
