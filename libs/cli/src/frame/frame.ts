import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, type ExitCode } from '../output/cli-error.js';
import { CommandContext, type GlobalOptions } from './command-context.js';
import type { Host } from './host.js';

/** Adds the commands of one group. */
export type AddCommands = (program: Command, frame: Frame) => void;

/** What groups of commands are added with. */
export class Frame {
  /** What the command has ended with, where it has not thrown. */
  exit: ExitCode = EXIT.ok;

  constructor(private readonly host: Host) {}

  /**
   * What commander calls. The function gets a context of its own, then the command's arguments and its options; an exit
   * code that it returns is the program's.
   */
  run<A extends unknown[]>(work: (context: CommandContext, ...args: A) => Promise<ExitCode | void>) {
    return async (...given: unknown[]): Promise<void> => {
      // commander adds the command itself, last.
      const command = given.pop() as Command;
      const context = new CommandContext(this.host, command.optsWithGlobals<GlobalOptions>());
      this.exit = (await work(context, ...(given as A))) ?? EXIT.ok;
    };
  }
}

/** Shows how a command is called, below its help. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  $ tasktree ${line}`)].join('\n'));
}

/** How many rows of a list. */
export function limitOption(): Option {
  return new Option('-n, --limit <number>', 'rows at most').argParser(wholeNumber).default(20);
}

/** For writes: repeats an earlier call as the same call. */
export function idempotencyOption(): Option {
  return new Option('--idempotency-key <key>', 'the key of an earlier call, which is repeated and not done twice');
}

/** For an option that may be given several times. A variadic one would swallow the argument behind it. */
export function collected(one: string, before: readonly string[] = []): string[] {
  return [...before, one];
}

/** A whole number from 1. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
