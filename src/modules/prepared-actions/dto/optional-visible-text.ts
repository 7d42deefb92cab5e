import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { hidesText } from '#libs/kernel';
import { Holds, MayBeAbsent } from '../../../platform/http/input/value-rules.js';

const MAX_LENGTH = 2_000;

/**
 * An optional text for the other side. Hidden characters are refused and not stripped: what is hashed and shown is what
 * was sent, so that a client can compute the same hash from its own request.
 */
export function OptionalVisibleText(text: { description: string; example: string }): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_LENGTH, ...text }),
    MayBeAbsent(),
    Holds(
      `is a text of 1 to ${MAX_LENGTH} characters, each of them visible (line feeds and tabs are fine)`,
      (value) => typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH && !hidesText(value),
    ),
  );
}
