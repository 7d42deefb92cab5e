import { ApiError } from '../../../platform/http/api-error.js';
import type { RawJson } from '../../../platform/http/raw-json.js';
import type { IdempotencyService, IdempotentRequest } from '../../../platform/idempotency/idempotency.service.js';
import { OnceOnlyForms } from './once-only-forms.js';

/** A fake of the idempotency record: keeps the result of the first work with a scope. */
class Record {
  readonly kept = new Map<string, string>();
  refusal: ApiError | null = null;

  async execute({ scope }: IdempotentRequest, handler: () => Promise<RawJson>) {
    if (this.refusal) throw this.refusal;
    const key = scope.toString('hex');
    const before = this.kept.get(key);
    const text = before ?? (await handler()).text;
    this.kept.set(key, text);
    return { status: 200 as const, text, headers: {}, version: '', replayed: before !== undefined };
  }
}

const made = () => {
  const record = new Record();
  return { record, forms: new OnceOnlyForms(record as unknown as IdempotencyService) };
};

describe('a form that may be sent once', () => {
  it('returns the result of the first submission, and stores nothing of it', async () => {
    const { record, forms } = made();
    expect(await forms.run('acct_1', 'token', () => Promise.resolve('a secret'))).toBe('a secret');
    expect([...record.kept.values()]).toEqual(['{}']);
    expect([...record.kept.keys()].join()).not.toContain(Buffer.from('token').toString('hex'));
    const again = forms.run('acct_1', 'token', () => Promise.resolve('another'));
    await expect(again).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('is another form with another token, and for another account', async () => {
    const { forms } = made();
    for (const [account, token] of [
      ['acct_1', 'a'],
      ['acct_1', 'b'],
      ['acct_2', 'a'],
    ] as const) {
      expect(await forms.run(account, token, () => Promise.resolve(1))).toBe(1);
    }
  });

  it('may be sent again after a failure, and the error is passed on unchanged', async () => {
    const { forms } = made();
    const refusal = new ApiError('state_conflict', 'There are ten.');
    await expect(forms.run('acct_1', 'token', () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await forms.run('acct_1', 'token', () => Promise.resolve(1))).toBe(1);
  });

  it('has errors that name the form, not an idempotency key, when the record refuses', async () => {
    const { record, forms } = made();
    for (const [code, expected] of [
      ['idempotency_in_progress', 'state_conflict'],
      ['rate_limited', 'rate_limited'],
    ] as const) {
      record.refusal = new ApiError(code, 'This Idempotency-Key …');
      const refused = forms.run('acct_1', 'token', () => Promise.resolve(1));
      await expect(refused).rejects.toMatchObject({
        code: expected,
        reason: expect.not.stringContaining('Idempotency'),
      });
    }
  });
});
