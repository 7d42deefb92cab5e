import { readFileSync } from 'node:fs';
import { validateSync } from 'class-validator';
import { Environment, LOCAL_CHAIN_ID } from './environment.js';
import { type Variable, VARIABLES, type VariableSource } from './variables.js';

/** Depth at which a transaction of a public chain counts when CHAIN_CONFIRMATIONS is not given. */
const PUBLIC_CHAIN_CONFIRMATIONS = 12;

/** All faults of a configuration at once, one per line; holds names and rules, never a value. */
export class EnvironmentError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

/**
 * The configuration in the environment variables. A variable that is absent or empty has its default.
 * Throws EnvironmentError with every fault; nothing secret has a default.
 */
export function loadEnvironment(source: VariableSource = process.env): Environment {
  const faults: string[] = [];
  const given: Partial<Record<Variable['member'], unknown>> = {};
  for (const variable of VARIABLES) {
    const text = readText(variable, source, faults);
    if (text !== undefined) given[variable.member] = parse(variable, text);
  }
  const environment = Object.assign(new Environment(), derivedDefaults(given), given);
  for (const { property, constraints } of validateSync(environment, { stopAtFirstError: true })) {
    const variable = VARIABLES.find(({ member }) => member === property);
    // A variable that could not be read is reported once, as that.
    if (variable && !faults.some((fault) => fault.startsWith(variable.name))) {
      faults.push(describeFault(variable, given, Object.values(constraints ?? {})[0] ?? 'is not valid'));
    }
  }
  if (faults.length > 0) throw new EnvironmentError(faults);
  return environment;
}

function readText({ name, file }: Variable, source: VariableSource, faults: string[]): string | undefined {
  const direct = source[name] || undefined;
  const path = file ? source[`${name}_FILE`] || undefined : undefined;
  if (path === undefined) return direct?.trim();
  if (direct !== undefined) {
    faults.push(`${name} and ${name}_FILE are both given; keep one`);
    return undefined;
  }
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    faults.push(`${name}_FILE names a file that cannot be read`);
    return undefined;
  }
}

/** A text that does not have the form of its kind stays a text, so that validation names it. */
function parse({ kind }: Variable, text: string): unknown {
  switch (kind) {
    case 'integer':
      return /^[0-9]{1,15}$/.test(text) ? Number(text) : text;
    case 'flag':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'list':
      return text.split(',').flatMap((item) => item.trim() || []);
    case 'secrets':
      return secretsIn(text);
    case 'text':
      return text;
  }
}

/** Secrets between commas or white space, or, for those that hold either, as a JSON list. */
function secretsIn(text: string): unknown {
  if (!text.startsWith('[')) return text.split(/[\s,]+/).filter(Boolean);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Defaults that follow from other values. */
function derivedDefaults(given: Partial<Record<Variable['member'], unknown>>): Partial<Environment> {
  const isLocal = given.chainId === LOCAL_CHAIN_ID;
  const { host: defaultHost, port: defaultPort } = new Environment();
  const host = typeof given.host === 'string' ? given.host : defaultHost;
  const port = typeof given.port === 'number' ? given.port : defaultPort;
  const isLoopback = host === 'localhost' || host.startsWith('127.');
  return {
    keyEnvironment: isLocal ? 'test' : 'live',
    chainConfirmations: isLocal ? 0 : PUBLIC_CHAIN_CONFIRMATIONS,
    // Only callers on the same machine can use this URL; a service that listens for others must be told its public one.
    ...(isLoopback ? { baseUrl: `http://${host}:${port}` } : {}),
  };
}

function describeFault({ name, member, kind }: Variable, given: Record<string, unknown>, constraint: string): string {
  if (given[member] === undefined) return `${name} is required`;
  // What is no number breaks every bound, and the bound would say nothing of that.
  if (kind === 'integer' && typeof given[member] !== 'number') return `${name} must be a whole number`;
  if (kind === 'flag' && typeof given[member] !== 'boolean') return `${name} must be true or false`;
  return `${name} ${constraint.replace(new RegExp(`^(?:each value in )?${member} `), '')}`;
}
