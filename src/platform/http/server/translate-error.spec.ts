import { HttpException, NotFoundException } from '@nestjs/common';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { ApiError } from '../api-error.js';
import { translateError } from './translate-error.js';

const coded = (code: string, message = 'boom at 10.0.0.7') => Object.assign(new Error(message), { code });

it('a refusal of ours stays itself', () => {
  const refusal = new ApiError('not_found', 'There is no such task.');
  expect(translateError(refusal)).toBe(refusal);
});

it.each([
  coded('ECONNREFUSED'),
  coded('ECONNRESET'),
  coded('ENOTFOUND'),
  coded('55P03'),
  coded('57014'),
  coded('57P01'),
  coded('53300'),
  coded('08006'),
  coded('40001'),
  new Error('timeout exceeded when trying to connect'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout expired'),
  new QueryRunnerAlreadyReleasedError(),
  new QueryRunnerProviderAlreadyReleasedError(),
  new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
  new QueryFailedError('SELECT secret', [], coded('57P03')),
])('%s is a part that is away for the moment', (error) => {
  const shown = translateError(error);
  expect(shown).toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(JSON.stringify(shown.body())).not.toMatch(/10\.0\.0\.7|SELECT/);
});

it.each([
  new Error('the password is hunter2'),
  new QueryFailedError('SELECT secret', ['hunter2'], coded('23505', 'Key (email)=(hunter2) exists')),
  new QueryFailedError('SELECT secret', [], coded('42P01')),
  Object.assign(new Error('hunter2'), { status: 500, expose: false }),
  'a thrown hunter2',
  undefined,
])('%s is a fault, and nothing of it is shown', (error) => {
  const shown = translateError(error);
  expect(shown).toMatchObject({ status: 500, code: 'internal_error' });
  expect(JSON.stringify(shown.body())).not.toMatch(/hunter2|SELECT/);
});

it.each([
  [new HttpException('hunter2', 400), 400, 'invalid_request'],
  [new NotFoundException('Cannot GET /hunter2'), 404, 'not_found'],
  [new HttpException('hunter2', 429), 429, 'rate_limited'],
  [new HttpException('hunter2', 418), 400, 'invalid_request'],
  [Object.assign(new Error('hunter2'), { status: 413, expose: true }), 413, 'payload_too_large'],
])('what a framework refuses keeps its status and loses its text', (error, status, code) => {
  const shown = translateError(error);
  expect(shown).toMatchObject({ status, code });
  expect(shown.reason).not.toContain('hunter2');
});
