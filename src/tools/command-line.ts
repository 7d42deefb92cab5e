import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './usage-error.js';

/** What one command takes beside `--json`, `--data-dir` and `--help`. */
export interface CommandShape {
  /** Its one operand, as the usage calls it; null = none. */
  readonly operand: string | null;
  readonly options: readonly string[];
}

type OptionKinds = NonNullable<ParseArgsConfig['options']>;
type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

const COMMON = { 'data-dir': { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;

/** The words of an operator's command, taken apart and checked against what the command takes. */
export class CommandLine {
  private constructor(
    /** Null: help is wanted. */
    readonly name: string | null,
    /** Empty when the command takes none. */
    readonly operand: string,
    private readonly values: Values,
  ) {}

  /** @throws UsageError on a command, operand or option that is unknown or missing. */
  static read(
    args: readonly string[],
    kinds: OptionKinds,
    commands: Readonly<Record<string, CommandShape>>,
  ): CommandLine {
    const options = { ...kinds, ...COMMON };
    const { values, positionals } = parse(operandsLast(args, options, commands), options);
    const [name, ...operands] = positionals;
    if (name === undefined || values.help === true) return new CommandLine(null, '', values);
    const shape = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!shape) throw new UsageError(`There is no command "${name}".`);
    assertFits(name, shape, operands, values);
    return new CommandLine(name, operands[0] ?? '', values);
  }

  /** True: one JSON document on the standard output instead of text. */
  get json(): boolean {
    return this.flag('json');
  }

  /** Folder of the local market, which is used when DATABASE_URL is not set. */
  get dataDirectory(): string {
    return this.text('data-dir') ?? '.tasktree';
  }

  /** Null = not given. */
  text(option: string): string | null {
    const value = this.values[option];
    return typeof value === 'string' ? value : null;
  }

  /** The values of an option that may be given several times. */
  texts(option: string): string[] {
    return [this.values[option]].flat().filter((value) => typeof value === 'string');
  }

  flag(option: string): boolean {
    return this.values[option] === true;
  }

  /** @throws UsageError when it is missing or empty. */
  required(option: string): string {
    const value = this.text(option);
    if (value === null || value === '') throw new UsageError(`--${option} is missing.`);
    return value;
  }

  /** Null = not given. @throws UsageError for what is no whole number of at most six digits. */
  whole(option: string): number | null {
    const value = this.text(option);
    if (value === null) return null;
    if (!/^\d{1,6}$/.test(value)) throw new UsageError(`--${option} must be a whole number.`);
    return Number(value);
  }
}

function assertFits(name: string, shape: CommandShape, operands: readonly string[], values: Values): void {
  const known: readonly string[] = [...Object.keys(COMMON), ...shape.options];
  const unknown = Object.keys(values).find((option) => !known.includes(option));
  if (unknown !== undefined) throw new UsageError(`"${name}" takes no --${unknown}.`);
  if (operands.length === (shape.operand === null ? 0 : 1)) return;
  if (shape.operand === null) throw new UsageError(`"${name}" takes no "${operands[0] ?? ''}".`);
  throw new UsageError(`"${name}" needs one ${shape.operand}.`);
}

/**
 * Ids may begin as options do. Where the command takes an operand, a word that begins so and is no option is the
 * operand.
 * @returns the same words, with such a word moved behind the end of options.
 */
function operandsLast(
  args: readonly string[],
  options: OptionKinds,
  commands: Readonly<Record<string, CommandShape>>,
): string[] {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const name = tokens.find((token) => token.kind === 'positional')?.value ?? '';
  const shape = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!shape || shape.operand === null) return [...args];
  const strays = new Set(
    tokens.filter((token) => token.kind === 'option' && !Object.hasOwn(options, token.name)).map(({ index }) => index),
  );
  // Two dashes within a word count as the end, too, for the parser.
  const isEnded = tokens.some(({ kind, index }) => kind === 'option-terminator' && args[index] === '--');
  const others = args.filter((_, index) => !strays.has(index));
  return [...others, ...(isEnded ? [] : ['--']), ...args.filter((_, index) => strays.has(index))];
}

function parse(args: readonly string[], options: OptionKinds): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
