import { Argument, type Command } from 'commander';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, withExamples } from '../frame/frame.js';
import { completionScript, type Shell, SHELLS } from '../output/shell-completion.js';

/** Pages that are the same at every market. */
const PAGES: Readonly<Record<string, string>> = {
  account: '/account',
  keys: '/account/keys',
  apps: '/account/apps',
  docs: '/docs',
};

/** The program itself, and the pages of the market. */
export function aboutCommands(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('open')
      .description('Open a page of the market in the browser')
      .addArgument(new Argument('[page]', 'which page').choices(Object.keys(PAGES)).default('account'))
      .action(frame.run(open)),
    'open',
    'open keys',
  );
  withExamples(
    program
      .command('completion')
      .description('Print what makes a shell complete commands')
      .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
      .action(frame.run((context, shell: Shell) => completion(context, shell, program))),
    'completion bash >> ~/.bashrc',
    'completion zsh > ~/.zfunc/_tasktree',
    'completion fish > ~/.config/fish/completions/tasktree.fish',
  );
  withExamples(
    program
      .command('version')
      .description('Show the version of this program')
      .action(
        frame.run(async ({ out, host }) => {
          out.answer({ version: host.version, node: process.versions.node }, () => [host.version]);
        }),
      ),
    'version',
  );
}

async function open({ settings, host, out }: CommandContext, page: string): Promise<void> {
  const url = `${settings.url}${PAGES[page] ?? ''}`;
  host.openUrl(url);
  out.answer({ url }, () => [url]);
}

async function completion({ out }: CommandContext, shell: Shell, program: Command): Promise<void> {
  out.raw(completionScript(shell, program));
}
