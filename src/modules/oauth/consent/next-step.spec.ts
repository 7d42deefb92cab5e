import { nextStep, type Step } from './next-step.js';

const MINE = { accountId: 'acct_mine' };
const login = { prompt: 'login', mustSignInAgain: false, accountId: null } as const;
const fresh = { prompt: 'login', mustSignInAgain: true, accountId: 'acct_mine' } as const;
const consent = { prompt: 'consent', mustSignInAgain: false, accountId: 'acct_mine' } as const;
const freshConsent = { ...consent, mustSignInAgain: true } as const;

it.each<[string, Omit<Parameters<typeof nextStep>[0], 'isFresh'>, Step]>([
  ['nobody is signed in', { pending: login, session: null }, 'sign_in'],
  ['somebody is signed in', { pending: login, session: MINE }, 'continue'],
  ['the application wants a fresh proof', { pending: fresh, session: MINE }, 'sign_in'],
  ['consent is asked of who is signed in', { pending: consent, session: MINE }, 'consent'],
  ['it was asked just after a fresh proof', { pending: freshConsent, session: MINE }, 'consent'],
  ['the session ended since consent was asked', { pending: consent, session: null }, 'sign_in'],
  ['the session is of another account than is asked', { pending: consent, session: { accountId: 'o' } }, 'continue'],
  ['... where a fresh proof is wanted', { pending: freshConsent, session: { accountId: 'o' } }, 'sign_in'],
])('%s', (_name, visit, step) => {
  expect(nextStep({ ...visit, isFresh: true }, false)).toBe(step);
  expect(nextStep({ ...visit, isFresh: false }, false)).toBe('sign_in');
});

it('another wallet can be used at any time', () => {
  expect(nextStep({ pending: consent, session: MINE, isFresh: true }, true)).toBe('sign_in');
  expect(nextStep({ pending: login, session: MINE, isFresh: true }, true)).toBe('sign_in');
});
