import { Argument, type Command } from 'commander';
import { type KnownEventType, timeLimit } from '#libs/sdk';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, withExamples } from '../frame/frame.js';
import { plain } from '../output/plain-text.js';
import { cause, CAUSED } from './causes.js';
import { localParties } from './local-parties.js';

/** A local market is quick; what is not told by then is not told at all. */
const LONGEST_MS = 120_000;

/** Events of the local market, by really doing what they tell of. */
export function triggerCommand(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('trigger')
      .description('Cause an event in the local market, by doing what it tells of with the accounts of npm start')
      .addArgument(new Argument('<event>').choices(CAUSED))
      .option('--market <file>', 'the file that npm start has written', '.tasktree/local.json')
      .action(frame.run(trigger)),
    'trigger task.funded',
    'trigger delivery.submitted --market ../tasktree/.tasktree/local.json',
  );
}

async function trigger(context: CommandContext, type: KnownEventType, { market }: { market: string }): Promise<void> {
  const { out, host, signal } = context;
  const parties = await localParties(market, host.fetch);
  out.note(`${parties.buyer.name} buys, ${parties.worker.name} works …`);
  const event = await cause(type, parties, AbortSignal.any([signal, timeLimit(LONGEST_MS)]));
  out.item(
    event,
    () => `${out.styled('green', '✓')} ${plain(event.type)}  ${plain(event.subject.id)}  ${plain(event.id)}`,
  );
}
