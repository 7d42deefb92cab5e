import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import { type Approval, type Asked, type Decision, DemoQuit } from './approval.js';
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
    this.reporter.line(`    match code ${action.match_code}, the same as on the page`);
    this.reporter.line(
      `    ${opened ? 'It opens in your browser' : 'Open it in a browser of this machine'}: choose “Demo Wallet”, sign, then send.`,
    );
    this.reporter.line();
    this.reporter.line('waiting for your signature …  [s] sign for me   [d] decline   [q] quit');
    const keys = TerminalKeys.listen(this.terminal);
    // The stream of the task tells how far the person is on the page; the decision itself is the command line's that waits.
    const watching = who.start(['tasks', 'watch', action.task_id], (event) => this.tell(event, action.action_id));
    try {
      return await this.wait(asked, keys);
    } finally {
      keys.close();
      await watching.stop();
      this.reporter.line();
    }
  }

  private async wait({ action, decided }: Asked, keys: TerminalKeys): Promise<Decision> {
    for (;;) {
      const key = keys.pressed();
      if (key === 's') return { by: 'program' };
      if (key === 'q' || key === INTERRUPT) throw new DemoQuit();
      if (key === 'd' && !(await declined(action.signing_url))) {
        this.reporter.line('It is open in your browser: decline it there.');
      }
      const decision = await Promise.race([decided, sleep(KEY_MS, null)]);
      if (decision !== null) return decision;
    }
  }

  private tell(line: string, actionId: string): void {
    const { type, subject } = JSON.parse(line) as { type: string; subject: { id: string } };
    const text = PROGRESS[type];
    if (subject.id === actionId && text !== undefined) this.reporter.line(text);
  }
}

const PROGRESS: Readonly<Record<string, string>> = {
  'action.signed': 'Signed. One step is left on the page: press Send   ([s] send for me)',
  'action.submitted': 'Sent. Waiting for the block …',
};

async function declined(url: string): Promise<boolean> {
  return (await (await SigningLink.open(url))?.decline()) ?? false;
}
