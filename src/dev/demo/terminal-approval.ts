import type { ReadStream } from 'node:tty';
import { outcomeOf } from './action-outcome.js';
import { type Approval, type Asked, type Decision, DemoQuit, matchCodeOf } from './approval.js';
import { openPage } from './open-page.js';
import { SigningLink } from './signing-link.js';
import type { Teller } from './teller.js';
import { INTERRUPT, TerminalKeys } from './terminal-keys.js';

const LOOK_MS = 400;

/** The story waits until the person has pressed Sign on the real page, or has said at the terminal what else to do. */
export class TerminalApproval implements Approval {
  constructor(
    private readonly teller: Teller,
    private readonly terminal: ReadStream,
  ) {}

  async decide(asked: Asked): Promise<Decision> {
    const { action, who, what } = asked;
    const opened = openPage(action.signing_url);
    this.teller.line();
    this.teller.line(`Now you are ${who.name}. ${what}:`);
    this.teller.line();
    this.teller.line(`    ${action.signing_url}`);
    this.teller.line(`    match code ${matchCodeOf(asked)}, the same as on the page`);
    this.teller.line(
      `    ${opened ? 'It opens in your browser' : 'Open it in a browser of this machine'}: choose “Demo Wallet”, then sign.`,
    );
    this.teller.line();
    this.teller.line('waiting for your signature …  [s] sign for me   [d] decline   [q] quit');
    const keys = TerminalKeys.listen(this.terminal);
    try {
      return await this.wait(asked, keys);
    } finally {
      keys.close();
      this.teller.line();
    }
  }

  private async wait({ action, who }: Asked, keys: TerminalKeys): Promise<Decision> {
    for (;;) {
      const key = keys.pressed();
      if (key === 's') return { by: 'program' };
      if (key === 'q' || key === INTERRUPT) throw new DemoQuit();
      if (key === 'd' && !(await declined(action.signing_url))) {
        this.teller.line('It is open in your browser: decline it there.');
      }
      const outcome = await outcomeOf(who, action.action_id);
      if (outcome !== null) return outcome;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

async function declined(url: string): Promise<boolean> {
  return (await (await SigningLink.open(url))?.decline()) ?? false;
}
