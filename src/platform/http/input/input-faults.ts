import { markedLine } from '#libs/kernel';
import type { ValidationError } from 'class-validator';
import { ApiError, type ErrorDetail } from '../api-error.js';
import type { ErrorCode } from '../error-codes.js';

/** A member that breaks a rule; `path` is as `ErrorDetail` has it. */
export type Fault = ErrorDetail;

/**
 * Most faults that one answer tells. No body has as many members; the bound keeps the answer short whatever is sent.
 */
const MOST_TOLD = 20;
/** Most characters that are shown of a name that somebody sent. */
const LONGEST_NAME = 64;
/**
 * Rules about the kind of a value come before those about its range: of a word, "is an integer" is told and not "is at
 * most 100".
 */
const KINDS_FIRST = ['isString', 'isInt', 'isBoolean', 'isArray', 'isObject'];

/**
 * For a rule whose text also holds where the member is absent, such as one about the whole body. Of any other rule, an
 * absent member is told that it "is required".
 */
export const TELLS_OF_ABSENCE = { context: { tellsOfAbsence: true } } as const;
/** For a rule about the body as a whole, declared at one of its members: the fault has no path. */
export const TELLS_OF_BODY = { context: { tellsOfAbsence: true, tellsOfBody: true } } as const;

/** One fault for each member that breaks a rule. The rules' texts name rules and never values. */
export function faultsOf(errors: readonly ValidationError[], plain: object, path: string): Fault[] {
  return errors.map(({ property, constraints = {}, contexts = {} }) => {
    const [rule, text] = firstRule(constraints);
    const { tellsOfAbsence, tellsOfBody } = contextOf(contexts[rule]);
    const member = `${path}${property}`;
    if (tellsOfBody) return { path: path.slice(0, -1), reason: `${text}.` };
    const isAbsent = Reflect.get(plain, property) === undefined;
    return { path: member, reason: isAbsent && !tellsOfAbsence ? `${member} is required.` : `${path}${text}.` };
  });
}

/** The refusal that tells all faults; its reason is the first one. */
export function refusalOf(faults: readonly Fault[], code: ErrorCode): ApiError {
  const [first] = faults;
  const more = faults.length - 1;
  const others = more === 1 ? 'One more is in details.' : `${more} more are in details.`;
  const reason = first?.reason ?? 'The request is not valid.';
  const details = faults.slice(0, MOST_TOLD);
  return new ApiError(code, more > 0 ? `${reason} ${others}` : reason, undefined, {}, details);
}

/** The refusal of a member that a body does not have. @param known the names that it may have. */
export function unknownMember(path: string, name: string, known: readonly string[], code: ErrorCode): ApiError {
  const shown = shownName(name);
  const reason = `The body has a member "${path}${shown}", which is not known.`;
  const takes = known.length === 0 ? 'no members' : known.map((one) => `${path}${one}`).join(', ');
  return new ApiError(code, reason, `This body takes ${takes}.`, {}, [{ path: `${path}${shown}`, reason }]);
}

/**
 * A name that somebody sent, on one line, invisible characters shown as their code points, and cut where it is long.
 */
export function shownName(name: string): string {
  const characters = Array.from(markedLine(name.slice(0, 4 * LONGEST_NAME)));
  const isCut = characters.length > LONGEST_NAME || name.length > 4 * LONGEST_NAME;
  return characters.slice(0, LONGEST_NAME).join('') + (isCut ? '…' : '');
}

function firstRule(constraints: Readonly<Record<string, string>>): [rule: string, text: string] {
  // A member that is `null` is not absent: the other rules tell what it should be.
  const rules = Object.keys(constraints).sort((a, b) => Number(a === 'isDefined') - Number(b === 'isDefined'));
  const rule = KINDS_FIRST.find((kind) => rules.includes(kind)) ?? rules[0] ?? '';
  return [rule, constraints[rule] ?? 'The value is not valid'];
}

function contextOf(context: unknown): { tellsOfAbsence: boolean; tellsOfBody: boolean } {
  const has = (name: string) => typeof context === 'object' && context !== null && Reflect.get(context, name) === true;
  return { tellsOfAbsence: has('tellsOfAbsence'), tellsOfBody: has('tellsOfBody') };
}
