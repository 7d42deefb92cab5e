import { Environment } from '../config/environment.js';
import { ApiError } from '../http/api-error.js';
import { Sealer } from '../secrets/sealer.js';
import { Clock } from '../time/clock.js';
import { FormTokens } from './form-tokens.js';

const HOUR_MS = 3_600_000;

class SetClock extends Clock {
  time = 1_800_000_000_000;

  override wallMs(): number {
    return this.time;
  }
}

const clock = new SetClock();
const tokens = tokensOf('a secret of this service, thirty-two and more');

function tokensOf(appSecret: string): FormTokens {
  return new FormTokens(new Sealer(Object.assign(new Environment(), { appSecret })), clock);
}

/** False when it is refused like every token that is not ours; any other error fails the test. */
function isTaken(binding: string, page: string, token: unknown): boolean {
  try {
    tokens.check(binding, page, token);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return false;
    throw error;
  }
}

beforeEach(() => {
  clock.time = 1_800_000_000_000;
});

describe('a form token', () => {
  it('is taken from the browser and for the page it was issued for', () => {
    expect(isTaken('browser', 'page', tokens.issue('browser', 'page'))).toBe(true);
  });

  it('is refused from another browser and for another page', () => {
    const token = tokens.issue('browser', 'page');
    expect(isTaken('other', 'page', token)).toBe(false);
    expect(isTaken('browser', 'other', token)).toBe(false);
  });

  it('cannot be had by moving a letter from the browser to the page', () => {
    expect(isTaken('brows', 'erpage', tokens.issue('browser', 'page'))).toBe(false);
    expect(isTaken('a","b', 'c', tokens.issue('a', 'b","c'))).toBe(false);
  });

  it('lives for an hour, and a changed time of expiry is not believed', () => {
    const token = tokens.issue('browser', 'page');
    clock.time += HOUR_MS - 1;
    expect(isTaken('browser', 'page', token)).toBe(true);
    clock.time += 1;
    expect(isTaken('browser', 'page', token)).toBe(false);
    expect(
      isTaken(
        'browser',
        'page',
        token.replace(/^\d+/, (time) => String(Number(time) + HOUR_MS)),
      ),
    ).toBe(false);
  });

  it('is different each time', () => {
    expect(tokens.issue('browser', 'page')).not.toBe(tokens.issue('browser', 'page'));
  });

  it('of another service is refused', () => {
    const foreign = tokensOf('the secret of another service, also long enough').issue('browser', 'page');
    expect(isTaken('browser', 'page', foreign)).toBe(false);
  });

  it.each([
    [undefined],
    [null],
    [''],
    [7],
    [['x']],
    ['..'],
    ['1800003600000.AAAAAAAAAAAAAAAA.'],
    ['x'.repeat(100_000)],
  ])('is not %p', (token) => {
    expect(isTaken('browser', 'page', token)).toBe(false);
  });

  it('is refused with any one character changed', () => {
    const token = tokens.issue('browser', 'page');
    for (let index = 0; index < token.length - 1; index += 1) {
      const other = token[index] === '1' ? '2' : '1';
      expect(isTaken('browser', 'page', token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
    }
  });
});
