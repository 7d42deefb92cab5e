import type { Visit } from './interactions.js';

/** The next step of a visit: the sign-in page, the consent page, or `continue` when the person is already signed in. */
export type Step = 'sign_in' | 'continue' | 'consent';

/**
 * Chooses the next step. Only the account that is signed in now may consent: a session that has ended, is too old, or
 * belongs to another account than the consent was prepared for leads to a new sign-in or a new consent question.
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
