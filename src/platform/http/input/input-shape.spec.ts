import 'reflect-metadata';
import { IsInt, IsOptional, IsString, ValidateBy } from 'class-validator';
import { ApiError } from '../api-error.js';
import { TELLS_OF_ABSENCE, TELLS_OF_BODY } from './input-faults.js';
import { checkedInstance, HasShape } from './input-shape.js';
import { MoneyBody, MoneyMember } from './money.body.js';
import { Holds, IsBytes32, IsIdentifier, IsIntegerBetween, IsOneOf, MayBeAbsent } from './value-rules.js';

let looks = 0;

class PartBody {
  @IsIdentifier()
  id!: string;
}

class OfferBody {
  @IsIdentifier()
  task_id!: string;

  @MoneyMember('What it costs.')
  price!: MoneyBody;

  @IsBytes32()
  terms_hash!: string;

  @MayBeAbsent()
  @IsIntegerBetween(1, 5, 'seconds')
  window?: number;

  @MayBeAbsent()
  @IsOneOf(['slow', 'quick'])
  pace?: string;

  @MayBeAbsent()
  @Holds('is looked at', () => {
    looks++;
    return true;
  })
  note?: unknown;

  @MayBeAbsent()
  @HasShape(PartBody)
  @Holds('is an object with an id', (value) => value instanceof PartBody)
  part?: PartBody;
}

const OFFER = {
  task_id: 'task_1',
  price: { amount: '1', currency: 'USDC' },
  terms_hash: `0x${'0'.repeat(64)}`,
};

function refusalOf(body: object): ApiError {
  try {
    checkedInstance(OfferBody, body, 'invalid_body');
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The body was taken');
}

const detailsOf = (body: object) => refusalOf(body).details.map(({ path, reason }) => [path, reason]);

it('a body that is as declared becomes an instance, inner objects too', () => {
  const offer = checkedInstance(OfferBody, { ...OFFER, part: { id: 'a' }, note: { any: [1] } }, 'invalid_body');
  expect(offer).toBeInstanceOf(OfferBody);
  expect(offer).toMatchObject({ ...OFFER, part: { id: 'a' }, note: { any: [1] } });
  expect((offer as OfferBody).price).toBeInstanceOf(MoneyBody);
});

it('one that lacks everything is told all of it at once', () => {
  expect(detailsOf({})).toEqual([
    ['task_id', 'task_id is required.'],
    ['price', 'price is required.'],
    ['terms_hash', 'terms_hash is required.'],
  ]);
  expect(refusalOf({}).reason).toBe('task_id is required. 2 more are in details.');
});

it('every wrong member is told once, with what it should be, inner ones by their path', () => {
  const wrong = {
    task_id: 'a b',
    price: { amount: 'much' },
    terms_hash: 7,
    window: '3',
    pace: null,
    part: { id: '/' },
  };
  expect(detailsOf(wrong)).toEqual([
    ['task_id', 'task_id is an identifier: 1 to 128 letters, digits, "_" or "-".'],
    ['terms_hash', 'terms_hash is 32 bytes: "0x" and 64 hexadecimal digits.'],
    ['window', 'window is an integer between 1 and 5 seconds.'],
    ['pace', 'pace is slow or quick.'],
    [
      'price.amount',
      'price.amount is a decimal text greater than zero, at most 1000000000000 (10^12), with at most six decimals, such as "250.00".',
    ],
    ['price.currency', 'price.currency is required.'],
    ['part.id', 'part.id is an identifier: 1 to 128 letters, digits, "_" or "-".'],
  ]);
});

it('one fault is the reason and the only detail', () => {
  const refusal = refusalOf({ ...OFFER, window: 6 });
  expect(refusal.body()).toEqual({
    error: {
      code: 'invalid_body',
      reason: 'window is an integer between 1 and 5 seconds.',
      details: [{ path: 'window', reason: 'window is an integer between 1 and 5 seconds.' }],
    },
  });
});

it.each([7, 'x', null, true, [], [OFFER.price], [[]]])('%j in place of an object is one fault', (price) => {
  expect(detailsOf({ ...OFFER, price })).toEqual([['price', 'price is an object with amount and currency.']]);
});

describe('an unknown member', () => {
  it('is named, with what the body takes', () => {
    const refusal = refusalOf({ ...OFFER, pirce: 1 });
    expect(refusal.reason).toBe('The body has a member "pirce", which is not known.');
    expect(refusal.suggestion).toBe('This body takes task_id, price, terms_hash, window, pace, note, part.');
    expect(refusal.details).toEqual([{ path: 'pirce', reason: refusal.reason }]);
  });

  it('inside another is named by its path', () => {
    const refusal = refusalOf({ ...OFFER, price: { ...OFFER.price, note: 1 } });
    expect(refusal.details).toEqual([{ path: 'price.note', reason: refusal.reason }]);
    expect(refusal.suggestion).toBe('This body takes price.amount, price.currency.');
  });

  it('stops everything: no other fault is told and no rule is asked', () => {
    looks = 0;
    expect(detailsOf({ note: 1, a: 1, b: 2 })).toEqual([['a', expect.any(String)]]);
    expect(looks).toBe(0);
    expect(() => checkedInstance(OfferBody, { ...OFFER, note: 1 }, 'invalid_body')).not.toThrow();
    expect(looks).toBe(1);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('may be named %s', (name) => {
    expect(detailsOf({ ...OFFER, [name]: 1 })).toEqual([[name, expect.any(String)]]);
    expect(detailsOf({ ...OFFER, price: { ...OFFER.price, [name]: {} } })).toEqual([
      [`price.${name}`, expect.any(String)],
    ]);
  });

  it('is shown on one line, invisible characters as their code points, and cut', () => {
    const [[path = ''] = []] = detailsOf({ ['\u202e\u0000a\r\nb\u2028\u200b']: 1 });
    expect(path).toBe('\\u{202e}\\u{0}a b \\u{200b}');
    const [[long = ''] = []] = detailsOf({ ['🙂'.repeat(10_000)]: 1 });
    expect(long).toBe(`${'🙂'.repeat(64)}…`);
    expect(JSON.stringify(refusalOf({ ['"<script>'.repeat(5_000)]: 1 }).body()).length).toBeLessThan(1_000);
  });
});

it('rules about what is absent, or about the whole body, say so in their own words', () => {
  class EitherBody {
    @ValidateBy(
      { name: 'any', validator: { validate: () => false, defaultMessage: () => 'Send something' } },
      TELLS_OF_BODY,
    )
    a?: string;

    @ValidateBy(
      { name: 'any', validator: { validate: () => false, defaultMessage: () => 'b is required beside a' } },
      TELLS_OF_ABSENCE,
    )
    b?: string;
  }
  expect(() => checkedInstance(EitherBody, {}, 'invalid_body')).toThrow(
    expect.objectContaining({
      details: [
        { path: '', reason: 'Send something.' },
        { path: 'b', reason: 'b is required beside a.' },
      ],
    }),
  );
});

it('of several broken rules, the one about the kind of value is told', () => {
  class CountBody {
    @IsOptional()
    @Holds('is small', (value) => Number(value) < 3)
    @IsInt()
    count?: number;

    @Holds('is short', (value) => String(value).length < 3)
    @IsString()
    text!: string;
  }
  expect(() => checkedInstance(CountBody, { count: 'many', text: null }, 'invalid_body')).toThrow(
    expect.objectContaining({
      details: [
        { path: 'count', reason: 'count must be an integer number.' },
        { path: 'text', reason: 'text must be a string.' },
      ],
    }),
  );
});
