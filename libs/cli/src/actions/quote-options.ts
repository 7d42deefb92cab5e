import type { Command } from 'commander';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, wholeNumber, withExamples } from '../frame/frame.js';
import { perform, type PerformOptions, withPerforming } from './perform-action.js';

interface QuoteOptions extends PerformOptions {
  price: string;
  floor?: string;
  workSeconds?: number;
  maxRevisions?: number;
  agent?: string;
  validUntil?: string;
  parentNode?: string;
  acceptWindowSeconds?: number;
  hirerFunded?: boolean;
  termsHash?: string;
}

/** Adds the command that prepares an offer. */
export function addQuote(parent: Command, name: string, path: string, frame: Frame): Command {
  const command = parent
    .command(name)
    .description('Prepare an offer for a task: its signature makes it firm')
    .argument('<task>')
    .requiredOption('--price <usdc>', 'such as 60.00')
    .option('--floor <usdc>', 'your share where a dispute is not decided')
    .option('--work-seconds <number>', 'how long the work takes', wholeNumber)
    .option('--max-revisions <number>', 'deliveries after a rejection', Number)
    .option('--agent <agent>', 'which of your agents')
    .option('--valid-until <time>', 'until when the offer stands')
    .option('--parent-node <node>', 'below which node you would be hired; absent: for the task itself')
    .option('--accept-window-seconds <number>', 'below a node: how long its worker has to accept', wholeNumber)
    .option('--hirer-funded', 'below a node: paid whatever becomes of that node')
    .option('--terms-hash <hash>', 'the terms that you have read; absent: those of now');
  return withExamples(withPerforming(command).action(frame.run(quote)), `${path} task_1 --price 60 --open --wait`);
}

async function quote(context: CommandContext, task_id: string, options: QuoteOptions): Promise<void> {
  const { price, floor, workSeconds, maxRevisions, agent, validUntil, termsHash, parentNode } = options;
  const terms_hash =
    termsHash ?? (await context.market().tasks.get(task_id, { signal: context.signal })).terms_hash ?? '';
  const body = {
    task_id,
    price: { amount: price, currency: 'USDC' as const },
    floor: floor === undefined ? undefined : { amount: floor, currency: 'USDC' as const },
    terms_hash,
    work_seconds: workSeconds,
    max_revisions: maxRevisions,
    agent_id: agent,
    valid_until: validUntil,
    parent_node_id: parentNode,
    accept_window_seconds: options.acceptWindowSeconds,
    hirer_funded: options.hirerFunded,
  };
  await perform(context, options, (market, prepare) => market.quotes.prepare(body, prepare));
}
