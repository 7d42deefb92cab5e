import { readConsent } from './consent.body.js';

const form = (text: string) => new URLSearchParams(text);

describe('the consent form', () => {
  it('allows what is ticked, in the order it was asked for, once', () => {
    const { scopes, problem } = readConsent(form('scope=worker&scope=read&scope=read'), ['read', 'buyer', 'worker']);
    expect(scopes).toEqual(['read', 'worker']);
    expect(problem).toBeUndefined();
  });

  it.each([
    'scope=read&scope=worker',
    'scope=admin',
    'scope=read&scope=',
    'scope=read+buyer',
    'scope=openid&scope=read',
  ])('is refused whole when it names what was not asked for: %s', (text) => {
    expect(() => readConsent(form(text), ['read', 'buyer'])).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  it('asks again when nothing is ticked', () => {
    expect(readConsent(form('funding_cap=5'), ['read', 'buyer'])).toMatchObject({
      scopes: [],
      limitTexts: { per_payment: '5' },
      problem: { field: 'scope' },
    });
  });

  it.each<[string, bigint | null]>([
    ['', null],
    ['250', 250_000_000n],
    ['+0.000001+', 1n],
    ['0', 0n],
  ])('reads the cap %j as base units: %s', (text, cap) => {
    expect(readConsent(form(`scope=buyer&funding_cap=${text}`), ['buyer'])).toMatchObject({
      limits: { perPayment: cap },
    });
  });

  it.each(['1,5', '-1', '1e6', '0.0000001', 'all', '0x10', '9'.repeat(60), '$5'])(
    'asks again for a cap of %j',
    (text) => {
      const choice = readConsent(form(`scope=buyer&funding_cap=${encodeURIComponent(text)}`), ['read', 'buyer']);
      expect(choice).toMatchObject({
        scopes: ['buyer'],
        limitTexts: { per_payment: text },
        problem: { field: 'funding_cap' },
      });
    },
  );

  it('has no cap where none was offered', () => {
    expect(readConsent(form('scope=read&funding_cap=nonsense'), ['read'])).toEqual({
      scopes: ['read'],
      limits: null,
      limitTexts: { per_payment: '', per_day: '', total: '', counterparties: '' },
    });
  });

  it('takes the cap as the limit of one payment, beside the other limits', () => {
    const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const text = `scope=buyer&funding_cap=5&per_day=10&per_payment=900&counterparties=${wallet}`;
    expect(readConsent(form(text), ['buyer'])).toMatchObject({
      limits: { perPayment: 5_000_000n, perDay: 10_000_000n, inTotal: null, counterparties: [wallet] },
    });
  });

  it.each(['per_day', 'total', 'counterparties'])(
    'asks again for a wrong %s, and for one that comes twice',
    (field) => {
      for (const text of [`${field}=much`, `${field}=5&${field}=7`]) {
        expect(readConsent(form(`scope=buyer&${text}`), ['buyer'])).toMatchObject({ limits: null, problem: { field } });
      }
    },
  );
});
