import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What can follow the words of a command. */
interface Level {
  /** The command's words, such as `tasks list`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
}

/** A script that completes commands and options in this shell. */
export function completionScript(shell: Shell, program: Command): string {
  const levels = levelsOf(program, []);
  const globals = optionsOf(program);
  if (shell === 'fish') return fish(levels, globals);
  const script = bash(levels, globals);
  return shell === 'bash' ? script : `#compdef tasktree\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

function levelsOf(command: Command, path: readonly string[]): Level[] {
  const names = command.commands.map((one) => one.name());
  const level = { path: path.join(' '), words: [...names, ...(path.length === 0 ? [] : optionsOf(command))] };
  return [level, ...command.commands.flatMap((one) => levelsOf(one, [...path, one.name()]))];
}

function optionsOf(command: Command): string[] {
  return command.options.flatMap(({ long }) => long ?? []);
}

/** The words before the cursor that are no options are the path; the longest one that is known decides. */
function bash(levels: readonly Level[], globals: readonly string[]): string {
  const cases = levels.map(({ path, words }) => `    '${path}') echo '${[...words, ...globals].join(' ')}' ;;`);
  return `_tasktree_words() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_tasktree() {
  local path='' word found
  found="$(_tasktree_words '')"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    path="\${path:+$path }$word"
    found="$(_tasktree_words "$path" || echo "$found")"
  done
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _tasktree -o default tasktree
`;
}

function fish(levels: readonly Level[], globals: readonly string[]): string {
  const lines = levels.map(({ path, words }) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    return `complete -c tasktree -n '${condition}' -a '${[...words, ...globals].join(' ')}'`;
  });
  return `${lines.join('\n')}\n`;
}
