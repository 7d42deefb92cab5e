import { Injectable } from '@nestjs/common';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { type AskedForm, ConfirmStep, type Deed, ProofRefused } from './confirm-step.js';
import { OnceOnlyForms } from './once-only-forms.js';

/** Carries out a form whose answer shows a secret: at most once, after a wallet has confirmed it. */
@Injectable()
export class ConfirmedOnce {
  constructor(
    private readonly confirm: ConfirmStep,
    private readonly once: OnceOnlyForms,
  ) {}

  /**
   * Runs `work` when the form holds a valid signature and was not carried out before. Without one, sends the page that
   * asks for it, and resolves to null.
   * @param lost as in `OnceOnlyForms.run`.
   * @throws ApiError as `OnceOnlyForms.run`.
   */
  async run<T>(asked: AskedForm, deed: Deed, work: () => Promise<T>, lost?: string): Promise<{ done: T } | null> {
    if (!this.confirm.isAnswered(asked)) {
      await this.confirm.ask(asked, deed);
      return null;
    }
    const answer = await this.confirm.checked(asked, deed);
    const token = fieldOf(asked.form, 'form_token');
    try {
      // Runs even when the signature was refused: a form that was already carried out must say so, and its signature is
      // refused because it is used up.
      const done = await this.once.run(
        asked.visit.account.id,
        token,
        async () => {
          if (answer instanceof ProofRefused) throw answer;
          return this.confirm.carryOut(asked, deed, answer, work);
        },
        lost,
      );
      return { done };
    } catch (error) {
      if (!(error instanceof ProofRefused)) throw error;
      await this.confirm.ask(asked, error.deed, error);
      return null;
    }
  }
}
