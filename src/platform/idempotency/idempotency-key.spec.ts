import { ApiError } from '../http/api-error.js';
import { idempotencyKeyOf } from './idempotency-key.js';

const codeOf = (values: string[] | undefined) => {
  try {
    return idempotencyKeyOf(values);
  } catch (error) {
    return (error as ApiError).code;
  }
};

it.each([
  ['none', undefined, 'idempotency_key_missing'],
  ['an empty one', [''], 'idempotency_key_invalid'],
  ['only white space', [' \t '], 'idempotency_key_invalid'],
  ['256 characters', ['k'.repeat(256)], 'idempotency_key_invalid'],
  ['two headers', ['a', 'a'], 'idempotency_key_invalid'],
])('%s is refused', (_, values, code) => {
  expect(codeOf(values)).toBe(code);
});

it.each([
  ['one character', 'k', 'k'],
  ['255 characters', 'k'.repeat(255), 'k'.repeat(255)],
  ['255 characters in white space', ` ${'k'.repeat(255)}\t`, 'k'.repeat(255)],
  ['quotes, which belong to the key', '"k"', '"k"'],
  ['commas', 'a, b', 'a, b'],
  ['SQL', "'; DROP TABLE idempotency_records; --", "'; DROP TABLE idempotency_records; --"],
  ['octets beyond ASCII', 'ÿþ\u0080', 'ÿþ\u0080'],
])('%s is a key', (_, value, key) => {
  expect(idempotencyKeyOf([value])).toBe(key);
});
