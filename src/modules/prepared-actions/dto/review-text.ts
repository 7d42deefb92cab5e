import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength, ValidateBy, ValidateIf } from 'class-validator';
import { hidesText } from '#libs/kernel';

const MAX_LENGTH = 2_000;

/**
 * An optional text for the other side. Hidden characters are refused and not stripped: what is hashed and shown is what
 * was sent, so that a client can compute the same hash from its own request.
 */
export function ReviewText(text: { description: string; example: string }): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_LENGTH, ...text }),
    ValidateIf((_: object, value: unknown) => value !== undefined),
    IsString(),
    MinLength(1),
    MaxLength(MAX_LENGTH),
    ValidateBy({
      name: 'isPlainText',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && !hidesText(value),
        defaultMessage: () => '$property holds a character that cannot be seen; line feeds and tabs are allowed',
      },
    }),
  );
}
