import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readingFromJson, readingToJson, verifyPreparedAction } from '../../libs/prepared-action/src/index.js';
import type { Signable } from './signable-actions.js';

/*
 * The vectors of libs/prepared-action/vectors, from which verifiers in other languages learn what this one says. They are
 * made of the tables of attacks, so that nothing is written down twice; `npm run vectors` writes them.
 */

const FOLDER = join(__dirname, '../../libs/prepared-action/vectors');

/** An action with what is known of it, as JSON, and the numbers of the checks that do not pass. */
export interface Vector {
  name: string;
  action: unknown;
  intent: any;
  context: any;
  failing: number[];
  /** Checks that find out too little. */
  unknown: number[];
}

/** An action with what is known of it, as JSON: integers of any width as decimal text, what is absent left out. */
export function jsonOf({ action, intent, context }: Signable): Pick<Vector, 'action' | 'intent' | 'context'> {
  const readings = context.readings.map(readingToJson);
  return JSON.parse(textOf({ action, intent, context: { ...context, readings } }));
}

/** What the verifier says of an action that is read from JSON. */
export function verdictOf({ action, intent, context }: Pick<Vector, 'action' | 'intent' | 'context'>) {
  const readings = context.readings.map(readingFromJson).filter((reading: unknown) => reading !== null);
  const checks = verifyPreparedAction(action, intent, { ...context, readings });
  const numbered = (wanted: string) => checks.filter(({ status }) => status === wanted).map(({ number }) => number);
  return { failing: numbered('failed') as number[], unknown: numbered('unknown') as number[] };
}

/** The vector of an action, with the verdict of its own verifier. */
export function vectorOf(name: string, target: Signable): Vector {
  const json = jsonOf(target);
  return { name, ...json, ...verdictOf(json) };
}

/**
 * The names of the vectors that the file does not hold as they are, a line each, so that a change of one is a change of one
 * line; the name of the file where it holds others. With `WRITE_VECTORS=1` the file is written first.
 */
export function notKept(file: string, vectors: readonly { name: string }[]): string[] {
  const path = join(FOLDER, file);
  const lines = vectors.map((vector) => [vector.name, textOf(vector)] as const);
  const text = `[\n${lines.map(([, line]) => line).join(',\n')}\n]\n`;
  if (process.env['WRITE_VECTORS'] === '1') writeFileSync(path, text);
  const kept = readFileSync(path, 'utf8');
  if (kept === text) return [];
  const changed = lines.filter(([, line]) => !kept.includes(line)).map(([name]) => name);
  return changed.length === 0 ? [file] : changed;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? member.toString() : member));
}
