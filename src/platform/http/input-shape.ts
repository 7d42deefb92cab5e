import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { ApiError } from './api-error.js';
import type { ErrorCode } from './error-codes.js';

const UNKNOWN_MEMBER = 'The body has a member that is not known.';

/** Names that a class of query parameters or body members declares, inherited ones included. */
export function declaredNames(shape: Type<object>): ReadonlySet<string> {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  return new Set(metadata.map(({ propertyName }) => propertyName));
}

/**
 * An instance of the class, filled and checked by its class-validator rules; members it does not declare are refused.
 * Throws ApiError `code` with the first fault.
 */
export function checkedInstance(shape: Type<object>, plain: object, code: ErrorCode): object {
  if (hasSilentMember(plain)) throw new ApiError(code, UNKNOWN_MEMBER);
  const instance = plainToInstance(shape, plain);
  const [fault] = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
  if (fault) throw new ApiError(code, describe(fault, ''));
  return instance;
}

/** The first broken rule, with the path of its member; class-validator's texts name rules and never values. */
function describe(fault: ValidationError, path: string): string {
  const [child] = fault.children ?? [];
  if (child) return describe(child, `${path}${fault.property}.`);
  const { whitelistValidation, ...rules } = fault.constraints ?? {};
  if (whitelistValidation !== undefined) return UNKNOWN_MEMBER;
  return `${path}${Object.values(rules)[0] ?? `${fault.property} is not valid`}.`;
}

/** class-transformer drops members of this name without a word, so that no rule would see them. */
function hasSilentMember(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, 'constructor') || Object.values(value).some(hasSilentMember);
}
