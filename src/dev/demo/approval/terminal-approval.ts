import type { ReadStream } from 'node:tty';
import { outcomeOf, type Undecided } from './action-outcome.js';
import { type Approval, type Asked, type Decision, DemoQuit, matchCodeOf } from './approval.js';
import { openPage } from './open-page.js';
import { SigningLink } from './signing-link.js';
import type { StepReporter } from '../parties/step-reporter.js';
import { INTERRUPT, TerminalKeys } from './terminal-keys.js';

const KEY_MS = 100;

/**
 * Waits until the person has signed and sent on the real page, or has pressed a key for something else at the terminal.
 */
export class TerminalApproval implements Approval {
  constructor(
    private readonly reporter: StepReporter,
    private readonly terminal: ReadStream,
  ) {}

  async decide(asked: Asked): Promise<Decision> {
    const { action, who, what } = asked;
    const opened = openPage(action.signing_url);
    this.reporter.line();
    this.reporter.line(`Now you are ${who.name}. ${what}:`);
    this.reporter.line();
    this.reporter.line(`    ${action.signing_url}`);
    this.reporter.line(`    match code ${matchCodeOf(asked)}, the same as on the page`);
    this.reporter.line(
      `    ${opened ? 'It opens in your browser' : 'Open it in a browser of this machine'}: choose “Demo Wallet”, sign, then send.`,
    );
    this.reporter.line();
    this.reporter.line('waiting for your signature …  [s] sign for me   [d] decline   [q] quit');
    const keys = TerminalKeys.listen(this.terminal);
    try {
      return await this.wait(asked, keys);
    } finally {
      keys.close();
      this.reporter.line();
    }
  }

  private async wait({ action, who }: Asked, keys: TerminalKeys): Promise<Decision> {
    const page = new PageWatch({ who, action });
    let seen: Undecided = 'unsigned';
    for (;;) {
      const key = keys.pressed();
      if (key === 's') return { by: 'program' };
      if (key === 'q' || key === INTERRUPT) throw new DemoQuit();
      if (key === 'd' && !(await declined(action.signing_url))) {
        this.reporter.line('It is open in your browser: decline it there.');
      }
      const outcome = await page.look();
      if (typeof outcome !== 'string') return outcome;
      if (outcome !== seen) this.reporter.line(PROGRESS[outcome]);
      seen = outcome;
      await new Promise((resolve) => setTimeout(resolve, KEY_MS));
    }
  }
}

const PROGRESS: Readonly<Record<Undecided, string>> = {
  unsigned: 'It waits for your signature again.',
  signed: 'Signed. One step is left on the page: press Send   ([s] send for me)',
  sent: 'Sent. Waiting for the block …',
};

/**
 * Asks for the action's outcome in the background, when the service tells that something has become of it: a person may take
 * minutes, and each question counts against the account's request limit.
 */
class PageWatch {
  private newest: Decision | Undecided = 'unsigned';
  private fault: Error | null = null;

  constructor({ who, action }: Pick<Asked, 'who' | 'action'>) {
    void this.follow(who, action.action_id);
  }

  /** Returns the newest known outcome. Rejects with the error of the last question if it failed. */
  look(): Promise<Decision | Undecided> {
    return this.fault === null ? Promise.resolve(this.newest) : Promise.reject(this.fault);
  }

  private async follow(who: Asked['who'], actionId: string): Promise<void> {
    try {
      for (let decided: true | undefined; decided === undefined;) {
        decided = await who.hearOf(actionId, async () => {
          this.newest = await outcomeOf(who, actionId);
          return typeof this.newest === 'string' ? undefined : true;
        });
      }
    } catch (error) {
      this.fault = error instanceof Error ? error : new Error(String(error));
    }
  }
}

async function declined(url: string): Promise<boolean> {
  return (await (await SigningLink.open(url))?.decline()) ?? false;
}
