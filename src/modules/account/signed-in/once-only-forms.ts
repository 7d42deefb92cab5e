import { Injectable } from '@nestjs/common';
import { lengthPrefixedHash } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import { RawJson } from '../../../platform/http/raw-json.js';
import { IdempotencyService, type IdempotentAnswer } from '../../../platform/idempotency/idempotency.service.js';
import { CURRENT_VERSION } from '../../../platform/versioning/api-versions.js';

/** Operation id of the forms' idempotency records; no operation of the interface has this name. */
const OPERATION = 'account-form';
const LOST_KEYS = 'If you did not see them, revoke those keys below and create new ones.';

/** Wraps a failure of the work, so that no idempotency record keeps it. A plain 409 would be kept. */
class WorkFailed extends Error {}

/** Carries out a form only once: a second click, or a reload of the answer, has no further effect. */
@Injectable()
export class OnceOnlyForms {
  constructor(private readonly idempotency: IdempotencyService) {}

  /**
   * Runs `work` for the first request with this token, in one transaction with the record of the token. When the work
   * fails, the token can be used again. The result is not stored, because it contains secrets.
   * @param token the form token, checked by `AccountForms`. Tokens are unique; each is valid for an hour, and its
   *   record is kept longer.
   * @param lost what helps whoever did not see the secrets; one sentence.
   * @throws ApiError `state_conflict` for every further request with the token, and the errors of `work`.
   */
  async run<T>(accountId: string, token: string, work: () => Promise<T>, lost = LOST_KEYS): Promise<T> {
    const made: { result: T }[] = [];
    const answer = await this.record(accountId, lengthPrefixedHash('form/1', accountId, token), async () => {
      const result = await work().catch((cause: unknown) => {
        throw new WorkFailed('The form was not carried out', { cause });
      });
      made.push({ result });
      return new RawJson('{}');
    }).catch((error: unknown): never => {
      throw translated(error, lost);
    });
    const [first] = made;
    if (answer.replayed || !first) throw sentBefore(lost);
    return first.result;
  }

  private record(accountId: string, scope: Buffer, handler: () => Promise<RawJson>): Promise<IdempotentAnswer> {
    const request = { accountId, operationId: OPERATION, scope, fingerprint: scope };
    return this.idempotency.execute({ ...request, version: CURRENT_VERSION, versionNamed: false }, handler);
  }
}

/** Unwraps a failure of the work, and words the refusals of the idempotency record for a person. */
function translated(error: unknown, lost: string): unknown {
  if (error instanceof WorkFailed) return error.cause;
  if (error instanceof ApiError && error.code === 'idempotency_in_progress') return sentBefore(lost);
  if (error instanceof ApiError && error.code === 'rate_limited') {
    return new ApiError('rate_limited', 'Too much is being done for this account at once.', 'Try again in a moment.');
  }
  return error;
}

function sentBefore(lost: string): ApiError {
  return new ApiError(
    'state_conflict',
    'This form was sent before, so nothing more was made. Secrets are shown once, in the answer to the first time.',
    lost,
  );
}
