import { type Command, Option } from 'commander';
import type { components, Marketplace, PrepareOptions } from '#libs/sdk';
import { addCreation } from '../actions/creation-options.js';
import { readBytes } from '../actions/input-file.js';
import { arbiterOption, perform, type PerformOptions, withPerforming } from '../actions/perform-action.js';
import { addQuote } from '../actions/quote-options.js';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, wholeNumber, withExamples } from '../frame/frame.js';
import { CliError, EXIT, usageError } from '../output/cli-error.js';

type Schemas = components['schemas'];
type FundingMode = Schemas['FundingBody']['funding_mode'];

/** Actions, one command a kind, each with the name of the wire as its other name. */
export function prepareCommands(program: Command, frame: Frame): void {
  const prepare = withExamples(
    program.command('prepare').description('Prepare an action, check it, and have it signed'),
    'prepare fund-task task_1 --quote quote_1 --open --wait',
  );
  const add = (name: string, description: string): Command =>
    withPerforming(named(prepare.command(name)).description(description));

  named(addCreation(prepare, 'create-task', 'prepare create-task', frame));
  named(addQuote(prepare, 'submit-quote', 'prepare submit-quote', frame));
  withExamples(
    add('select-agent', 'Take one offer with exactly its terms')
      .argument('<task>')
      .option('--quote <quote>', 'the offer that you have seen')
      .option('--at-most <usdc>', 'instead: the best-ranked offer up to this price')
      .addOption(arbiterOption())
      .action(frame.run(select)),
    'prepare select-agent task_1 --quote quote_1 --open --wait',
  );
  withExamples(
    add('fund-task', 'Pay the selected offer into the escrow of the task')
      .argument('<task>')
      .requiredOption('--quote <quote>', 'the offer that you mean to pay')
      .addOption(fundingOption())
      .addOption(arbiterOption())
      .action(frame.run(fund)),
    'prepare fund-task task_1 --quote quote_1 --open --wait',
  );
  withExamples(
    add('deliver', 'Hand in work: it is taken into custody, and its hash goes to the chain')
      .argument('<task>')
      .argument('<file>', 'the work, - for standard input')
      .option('--node <node>', 'for which node; absent: your only one')
      .option('--media-type <type>', 'what the file is', 'application/octet-stream')
      .option('--no-pay-out', 'keep the pay in the escrow until you withdraw it')
      .action(frame.run(deliver)),
    'prepare deliver task_1 work.pdf --media-type application/pdf --open --wait',
  );
  withExamples(
    add('resolve-task', 'Accept delivered work')
      .argument('<task>')
      .option('--node <node>', 'work that you have hired below your own; absent: the newest of the task')
      .addOption(rootOption())
      .option('--reason <text>')
      .action(frame.run(resolve)),
    'prepare resolve-task task_1 --open --wait',
  );
  withExamples(
    add('reject-task', 'Reject delivered work')
      .argument('<task>')
      .option('--node <node>', 'work that you have hired below your own; absent: the newest of the task')
      .addOption(rootOption())
      .option('--reason <text>', 'what the worker is told')
      .action(frame.run(reject)),
    "prepare reject-task task_1 --reason 'Two pages are missing.' --open",
  );
  withExamples(
    add('abandon-node', 'Give a job up: all of its money goes back')
      .argument('<task>')
      .argument('<node>')
      .action(
        frame.run((context: CommandContext, task_id: string, id: string, options: PerformOptions) =>
          perform(context, options, ({ nodes }, own) => nodes.prepareAbandonment({ task_id, id }, own)),
        ),
      ),
    'prepare abandon-node task_1 node_1 --open',
  );
  withExamples(
    add('dispute-node', 'Call the arbiter about a rejection')
      .argument('<task>')
      .argument('<node>')
      .option('--evidence-hash <hash>', 'SHA-256 of what shows that you are right (tasktree hash)')
      .action(frame.run(dispute)),
    'prepare dispute-node task_1 node_1 --open',
  );
  withExamples(
    add('claim-non-delivery', 'Send the money of a node back whose deadline is over')
      .argument('<task>')
      .argument('<node>')
      .action(
        frame.run((context: CommandContext, task_id: string, id: string, options: PerformOptions) =>
          perform(context, options, ({ nodes }, own) => nodes.prepareNonDeliveryClaim({ task_id, id }, own)),
        ),
      ),
    'prepare claim-non-delivery task_1 node_1 --open',
  );
  withExamples(
    add('subcontract', 'Hire below your own node')
      .argument('<task>')
      .argument('<node>', 'your own node')
      .requiredOption('--quote <quote>', 'the offer that you take')
      .requiredOption('--accept-window-seconds <number>', 'how long you have to accept the work', wholeNumber)
      .addOption(fundingOption())
      .action(frame.run(subcontract)),
    'prepare subcontract task_1 node_1 --quote quote_2 --accept-window-seconds 86400 --open',
  );
  withExamples(
    add('withdraw-earnings', 'Take out what your agents have earned')
      .requiredOption('--to <address>', 'where it goes')
      .option('--task <task>', 'of this task')
      .option('--node <node>', 'of this node; absent: of that with most to withdraw')
      .action(frame.run(withdrawEarnings)),
    'prepare withdraw-earnings --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --open',
  );
  withExamples(
    add('withdraw-refund', 'Take out what came back')
      .argument('<task>')
      .requiredOption('--to <address>', 'where it goes')
      .option('--wallet <address>', 'of this wallet of yours; absent: of that with most to withdraw')
      .action(frame.run(withdrawRefund)),
    'prepare withdraw-refund task_1 --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --open',
  );
}

/** Adds the name of the kind as the wire has it. */
function named(command: Command): Command {
  const kind = command.name().replaceAll('-', '_');
  return kind === command.name() ? command : command.alias(kind);
}

function fundingOption(): Option {
  const modes = ['authorization', 'permit', 'allowance', 'refund_balance'];
  return new Option('--funding-mode <mode>', 'how the money gets into the escrow').choices(modes);
}

/** Which of several root nodes the buyer reviews. */
function rootOption(): Option {
  return new Option('--root <node>', 'of several agents that you pay for the task, the node of this one').conflicts(
    'node',
  );
}

async function select(
  context: CommandContext,
  task: string,
  { quote, atMost, ...options }: PerformOptions & { quote?: string; atMost?: string },
): Promise<void> {
  if ((quote === undefined) === (atMost === undefined)) throw usageError('Name either --quote or --at-most.');
  await perform(context, options, async ({ quotes, tasks }, own) =>
    tasks.prepareSelection(
      task,
      quote === undefined ? { mode: 'auto', most: atMost ?? '' } : { quote: await quoteOf(quotes, task, quote, own) },
      own,
    ),
  );
}

async function fund(
  context: CommandContext,
  task: string,
  { quote, fundingMode: funding_mode, ...options }: PerformOptions & { quote: string; fundingMode?: FundingMode },
): Promise<void> {
  await perform(context, options, async ({ quotes, tasks }, own) =>
    tasks.prepareFunding(task, { quote: await quoteOf(quotes, task, quote, own), funding_mode }, own),
  );
}

async function deliver(
  context: CommandContext,
  task_id: string,
  file: string,
  {
    node,
    mediaType: media_type,
    payOut,
    ...options
  }: PerformOptions & { node?: string; mediaType: string; payOut: boolean },
): Promise<void> {
  const work = await readBytes(context.host, file);
  await perform(context, options, async ({ deliveries }, own) => {
    // The same key gives the same receipt of custody, without which the preparation would be another request.
    const idempotencyKey = `${own.idempotencyKey}.upload`;
    const artifact = await deliveries.upload(work, { media_type, signal: own.signal, idempotencyKey });
    return deliveries.prepare({ task_id, node_id: node, artifact, pay_out: payOut }, own);
  });
}

/** Which work is reviewed: below the caller's own node, or of a root node that it pays for; at most one is named. */
interface ReviewOptions {
  node?: string;
  root?: string;
  reason?: string;
}

async function resolve(
  context: CommandContext,
  task_id: string,
  { node: id, root: node_id, reason, ...options }: PerformOptions & ReviewOptions,
): Promise<void> {
  const body = { resolution: 'accept' as const, reason };
  await perform(context, options, ({ tasks, nodes }, own) =>
    id === undefined
      ? tasks.prepareResolution(task_id, { ...body, node_id }, own)
      : nodes.prepareResolution({ task_id, id }, body, own),
  );
}

async function reject(
  context: CommandContext,
  task_id: string,
  { node: id, root: node_id, reason, ...options }: PerformOptions & ReviewOptions,
): Promise<void> {
  await perform(context, options, ({ tasks, nodes }, own) =>
    id === undefined
      ? tasks.prepareRejection(task_id, { reason, node_id }, own)
      : nodes.prepareRejection({ task_id, id }, { reason }, own),
  );
}

async function dispute(
  context: CommandContext,
  task_id: string,
  id: string,
  { evidenceHash: evidence_hash, ...options }: PerformOptions & { evidenceHash?: string },
): Promise<void> {
  await perform(context, options, ({ nodes }, own) => nodes.prepareDispute({ task_id, id }, { evidence_hash }, own));
}

async function subcontract(
  context: CommandContext,
  task_id: string,
  id: string,
  options: PerformOptions & { quote: string; acceptWindowSeconds: number; fundingMode?: FundingMode },
): Promise<void> {
  const { acceptWindowSeconds: accept_window_seconds, fundingMode: funding_mode } = options;
  await perform(context, options, async ({ nodes, quotes }, own) => {
    const quote = await quoteOf(quotes, task_id, options.quote, own);
    return nodes.prepareSubcontract({ task_id, id }, { quote, accept_window_seconds, funding_mode }, own);
  });
}

async function withdrawEarnings(
  context: CommandContext,
  {
    to: destination,
    task: task_id,
    node: node_id,
    ...options
  }: PerformOptions & { to: string; task?: string; node?: string },
): Promise<void> {
  const body = { destination, task_id, node_id };
  await perform(context, options, ({ earnings }, own) => earnings.prepareWithdrawal(body, own));
}

async function withdrawRefund(
  context: CommandContext,
  task: string,
  { to: destination, wallet, ...options }: PerformOptions & { to: string; wallet?: string },
): Promise<void> {
  await perform(context, options, ({ tasks }, own) =>
    tasks.prepareRefundWithdrawal(task, { destination, wallet }, own),
  );
}

/** The offer as the caller can see it: what is prepared is held against its terms. Throws CliError where there is none. */
async function quoteOf(
  quotes: Marketplace['quotes'],
  task_id: string,
  id: string,
  { signal }: PrepareOptions,
): Promise<Schemas['Quote']> {
  for await (const one of quotes.list({ task_id, limit: 100, signal })) if (one.id === id) return one;
  throw new CliError({
    exit: EXIT.notFound,
    what: `The task has no offer ${id} that you can see.`,
    advice: `tasktree quotes list --task ${task_id}`,
    code: 'not_found',
  });
}
