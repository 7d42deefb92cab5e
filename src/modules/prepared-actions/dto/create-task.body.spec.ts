import 'reflect-metadata';
import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { CreateTaskBody, draftIn } from './create-task.body.js';

const MONEY = { amount: '250.5', currency: 'USDC' };
const BODY = { brief: 'Translate.', budget: MONEY, selection_mode: 'manual' };
const WALLET = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

const draftOf = (body: object) => draftIn(checkedInstance(CreateTaskBody, body, 'invalid_body') as CreateTaskBody);

function reasonFor(change: object): string {
  try {
    draftOf({ ...BODY, ...change });
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the body of a new task', () => {
  it('needs a brief, a budget and a mode, and leaves everything else to the defaults', () => {
    expect(draftOf(BODY)).toEqual({ brief: 'Translate.', budget: 250_500_000n, selectionMode: 'manual' });
    for (const name of Object.keys(BODY)) expect(reasonFor({ [name]: undefined })).toContain(name);
  });

  it('may have every member, and is read under the names of the program', () => {
    expect(
      draftOf({
        ...BODY,
        title: 'T',
        criteria: ['Line one\nand\ttwo', '🙂'],
        accept_window_seconds: 172_800,
        delivery_window_seconds: 31_536_000,
        tier: 'private_curated',
        deadline: '2026-12-04T12:55:00.25Z',
        arbiter: WALLET.toLowerCase(),
      }),
    ).toMatchObject({
      title: 'T',
      criteria: ['Line one\nand\ttwo', '🙂'],
      acceptWindowSeconds: 172_800,
      deliveryWindowSeconds: 31_536_000,
      tier: 'private_curated',
      offersUntil: new Date('2026-12-04T12:55:00.000Z'),
      arbiterWallet: WALLET,
    });
  });

  it('may have no criteria, and the zero address as nobody', () => {
    expect(reasonFor({ criteria: [] })).toBe('taken');
    expect(draftOf({ ...BODY, arbiter: `0x${'0'.repeat(40)}` }).arbiterWallet).toBe(`0x${'0'.repeat(40)}`);
  });

  it('counts characters and not UTF-16 units', () => {
    expect(reasonFor({ brief: '🙂'.repeat(20_000), title: 'x'.repeat(200) })).toBe('taken');
    expect(reasonFor({ brief: '🙂'.repeat(20_001) })).toMatch(/^brief is a text/);
    expect(reasonFor({ criteria: Array(50).fill('x'.repeat(2_000)) })).toBe('taken');
  });

  it.each<[string, object]>([
    ['brief', { brief: '' }],
    ['brief', { brief: 'a\u0000b' }],
    ['brief', { brief: 'two\r\nlines' }],
    ['brief', { brief: 'right \u202Eot left' }],
    ['brief', { brief: 'blank\u2800' }],
    ['brief', { brief: 'variant\ufe00' }],
    ['brief', { brief: 'filler\u{16fe4}' }],
    ['brief', { brief: 'music\u{1d173}' }],
    ['brief', { brief: 'hid\u200Bden' }],
    ['brief', { brief: 7 }],
    ['brief', { brief: ['x'] }],
    ['title', { title: '' }],
    ['title', { title: null }],
    ['title', { title: 'x'.repeat(201) }],
    ['criteria', { criteria: null }],
    ['criteria', { criteria: 'x' }],
    ['criteria', { criteria: { 0: 'x' } }],
    ['criteria', { criteria: Array(51).fill('x') }],
    ['criteria', { criteria: ['x', ''] }],
    ['criteria', { criteria: ['x'.repeat(2_001)] }],
    ['criteria', { criteria: [7] }],
    ['selection_mode', { selection_mode: 'first' }],
    ['selection_mode', { selection_mode: ['auto'] }],
    ['tier', { tier: 'confidential_hosted' }],
    ['tier', { tier: null }],
    ['accept_window_seconds', { accept_window_seconds: 172_799 }],
    ['accept_window_seconds', { accept_window_seconds: 7_776_001 }],
    ['accept_window_seconds', { accept_window_seconds: '172800' }],
    ['accept_window_seconds', { accept_window_seconds: 200_000.5 }],
    ['accept_window_seconds', { accept_window_seconds: null }],
    ['delivery_window_seconds', { delivery_window_seconds: 86_399 }],
    ['delivery_window_seconds', { delivery_window_seconds: 31_536_001 }],
    ['deadline', { deadline: '2026-12-04' }],
    ['deadline', { deadline: '2026-02-30T00:00:00Z' }],
    ['deadline', { deadline: '2026-12-04T12:55:00' }],
    ['deadline', { deadline: 1_780_000_000 }],
    ['arbiter', { arbiter: '0x1234' }],
    ['arbiter', { arbiter: WALLET.replace('F79b', 'f79b') }],
    ['arbiter', { arbiter: null }],
    ['budget', { budget: { amount: '1.0000001', currency: 'USDC' } }],
    ['budget', { budget: [MONEY] }],
  ])('refuses %s of %j', (name, change) => {
    expect(reasonFor(change)).toMatch(new RegExp(`^(?:each of )?${name}`));
  });

  it('names the member that it does not know, and does not repeat a value that was sent', () => {
    expect(reasonFor({ buyer: 'acct_x' })).toBe('The body has a member "buyer", which is not known.');
    expect(reasonFor({ brief: 'secret\u0000' })).not.toContain('secret');
  });
});
