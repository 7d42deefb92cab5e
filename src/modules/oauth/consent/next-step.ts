import type { Visit } from './interactions.js';

/** What a visit is shown: a page to sign in, or to consent; `continue` = signed in already, on to the next question. */
export type Step = 'sign_in' | 'continue' | 'consent';

/**
 * Consent is asked only of the account that is signed in here now: a session that has ended or has become another
 * account's since the question was made leads to a new sign-in or a new question. So does one that began too long ago.
 */
export function nextStep(
  {
    pending,
    session,
    isFresh,
  }: {
    pending: Pick<Visit['pending'], 'prompt' | 'mustSignInAgain' | 'accountId'>;
    session: { accountId: string } | null;
    isFresh: boolean;
  },
  wantsOtherWallet: boolean,
): Step {
  if (wantsOtherWallet || session === null || !isFresh) return 'sign_in';
  if (pending.prompt === 'consent' && session.accountId === pending.accountId) return 'consent';
  return pending.mustSignInAgain ? 'sign_in' : 'continue';
}
