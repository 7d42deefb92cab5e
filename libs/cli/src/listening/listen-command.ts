import { type Command, Option } from 'commander';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, withExamples } from '../frame/frame.js';
import { Forwarding, newSecret, receiverOf } from './forwarding.js';
import { plain } from '../output/plain-text.js';
import { time } from '../output/shown-values.js';
import { eventsOption } from '../commands/webhook-commands.js';

interface ListenOptions {
  forwardTo?: string;
  events?: string[];
  since?: string;
  printSecret?: boolean;
}

/** Events as they happen. */
export function listenCommand(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('listen')
      .description('Show events as they happen, until Ctrl-C, and send them on to a program of yours')
      .addOption(new Option('--forward-to <url>', 'send each event there, signed as a webhook').argParser(receiverOf))
      .addOption(eventsOption())
      .option('--since <event>', 'begin behind this one, such as the last that you have dealt with')
      .option('--print-secret', 'show what forwarded events are signed with, and end')
      .action(frame.run(listen)),
    'listen --events node.funded',
    'listen --forward-to http://127.0.0.1:8080/hooks',
    'listen --print-secret',
  );
}

/** Ends well with Ctrl-C. Throws what the market refuses the stream with. */
async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { out, signal, host } = context;
  if (options.printSecret === true) {
    const secret = secretOf(context);
    return out.answer({ secret }, () => [secret]);
  }
  const { forwardTo, events: types, since: after } = options;
  const forwarding = forwardTo === undefined ? undefined : new Forwarding(forwardTo, secretOf(context), host);
  const stream = context.market().events.stream({ types, after, signal });
  out.note('Listening. Ctrl-C ends it.');
  let last = after;
  try {
    for await (const event of stream) {
      const forwarded = await forwarding?.send(event);
      const shown = forwarded === undefined ? '' : `  → ${forwarded.status || 'no answer'}`;
      out.item(
        forwarded === undefined ? event : { ...event, forwarded },
        () => `${plain(time(event.timestamp))}  ${plain(event.type)}  ${plain(event.subject.id)}${shown}`,
      );
      last = event.id;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (last !== undefined) out.note(`Go on behind the last one: tasktree listen --since ${plain(last)}`);
}

/** Made once, and kept: a receiver is told it once. */
function secretOf({ settings }: CommandContext): string {
  const kept = settings.profile?.listenSecret;
  if (kept !== undefined) return kept;
  const listenSecret = newSecret();
  settings.save({ listenSecret });
  return listenSecret;
}
