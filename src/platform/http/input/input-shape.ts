import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { ErrorCode } from '../error-codes.js';
import { type Fault, faultsOf, refusalOf, unknownMember } from './input-faults.js';

const INNER_SHAPES = Symbol('inner shapes');
const namesOfShape = new WeakMap<Type<object>, ReadonlySet<string>>();

/** Names that a class of query parameters or body members declares, inherited ones included. */
export function declaredNames(shape: Type<object>): ReadonlySet<string> {
  const known = namesOfShape.get(shape);
  if (known) return known;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  const names = new Set(metadata.map(({ propertyName }) => propertyName));
  namesOfShape.set(shape, names);
  return names;
}

/**
 * The member is an object of a class of its own, which is checked as the outer one is. class-validator's own nesting
 * would walk through whatever is sent in place of that object, once per element.
 */
export function HasShape(inner: Type<object>): PropertyDecorator {
  return ({ constructor }, name) => {
    const shapes = innerShapes(constructor);
    Reflect.defineMetadata(INNER_SHAPES, { ...shapes, [String(name)]: inner }, constructor);
  };
}

/**
 * An instance of the class, filled and checked by its class-validator rules. Members that it does not declare are
 * refused before anything is made of the others.
 * @throws ApiError `code` that names the first unknown member, or else every member that breaks a rule.
 */
export function checkedInstance(shape: Type<object>, plain: object, code: ErrorCode): object {
  refuseUnknownMembers(shape, plain, code, '');
  const faults: Fault[] = [];
  const instance = filled(shape, plain, '', faults);
  if (faults.length > 0) throw refusalOf(faults, code);
  return instance;
}

/** @throws ApiError `code` with the first one, in the order of the text that was sent. */
function refuseUnknownMembers(shape: Type<object>, plain: object, code: ErrorCode, path: string): void {
  const names = declaredNames(shape);
  const inner = innerShapes(shape);
  for (const [name, value] of Object.entries(plain)) {
    if (!names.has(name)) throw unknownMember(path, name, [...names], code);
    const innerShape = inner[name];
    if (innerShape && isObject(value)) refuseUnknownMembers(innerShape, value, code, `${path}${name}.`);
  }
}

/**
 * The instance, with `faults` grown by every rule that a member breaks. Only texts, numbers and the like go through
 * class-transformer, which would copy whatever else is sent member by member.
 */
function filled(shape: Type<object>, plain: object, path: string, faults: Fault[]): object {
  const members = Object.entries(plain);
  const instance = plainToInstance(shape, Object.fromEntries(members.filter(([, value]) => !isCompound(value))));
  const inner = innerShapes(shape);
  const innerFaults: Fault[] = [];
  for (const [name, value] of members) {
    if (!isCompound(value)) continue;
    const innerShape = inner[name];
    const isInner = innerShape !== undefined && isObject(value);
    Reflect.set(instance, name, isInner ? filled(innerShape, value, `${path}${name}.`, innerFaults) : value);
  }
  const broken = validateSync(instance, {
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
  });
  faults.push(...faultsOf(broken, plain, path), ...innerFaults);
  return instance;
}

function innerShapes(shape: object): Readonly<Record<string, Type<object>>> {
  const shapes: unknown = Reflect.getMetadata(INNER_SHAPES, shape);
  return isShapes(shapes) ? shapes : {};
}

function isShapes(value: unknown): value is Record<string, Type<object>> {
  return isObject(value);
}

function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isObject(value: unknown): value is object {
  return isCompound(value) && !Array.isArray(value);
}
