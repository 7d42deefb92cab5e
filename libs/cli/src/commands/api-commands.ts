import { randomUUID } from 'node:crypto';
import { Argument, type Command, Option } from 'commander';
import { errorBodyOf, factsOf, MarketError, MarketUnreachable, type Scope, timeLimit } from '#libs/sdk';
import { readJson } from '../actions/input-file.js';
import type { CommandContext } from '../frame/command-context.js';
import { collected, type Frame, idempotencyOption, withExamples } from '../frame/frame.js';
import { usageError } from '../output/cli-error.js';
import { plainJson } from '../output/plain-text.js';
import { SCOPES } from '../profile/settings.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ANSWER_MS = 60_000;

interface ApiOptions {
  field?: string[];
  input?: string;
  scope?: Scope;
  paginate?: boolean;
  include?: boolean;
  idempotencyKey?: string;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly body?: unknown;
  readonly key?: string;
}

/** The interface as it is, for what has no command. */
export function apiCommands(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('api')
      .description('Send one request to the market, and print the answer')
      .addArgument(new Argument('<method>').choices(METHODS).argParser(methodIn))
      .argument('<path>', 'such as /v1/tasks')
      .option(
        '-f, --field <name=value>',
        'a parameter of a GET, or a member of the body as text; as often as needed',
        collected,
      )
      .option('--input <file>', 'the body as JSON, - for standard input; fields go before its members')
      .addOption(new Option('--scope <scope>', 'which key; absent: read for a GET').choices(SCOPES))
      .option('--paginate', 'all pages of a list, a line of JSON for each of its items')
      .option('--include', 'the status and the headers of the answer as well')
      .addOption(idempotencyOption())
      .action(frame.run(api)),
    'api GET /v1/tasks -f limit=3',
    'api GET /v1/events --paginate',
    'api POST /v1/tasks/task_1/invitations --scope buyer --input invitation.json',
  );
}

async function api(context: CommandContext, method: string, path: string, options: ApiOptions): Promise<void> {
  if (!/^\/v\d+\//.test(path)) throw usageError('A path begins with the version.', 'Such as /v1/tasks');
  const { field = [], input, paginate = false, include = false, idempotencyKey = randomUUID() } = options;
  const fields = Object.fromEntries(field.map(fieldIn));
  const isRead = method === 'GET';
  if (isRead && input !== undefined) throw usageError('A GET has no body.');
  if (paginate && !isRead) throw usageError('Only lists have pages.');
  if (paginate && include) throw usageError('--include is for one answer.');
  const scope = options.scope ?? scopeOf(context, isRead);
  if (paginate) return pages(context, { method, path, scope }, fields);
  const { out } = context;
  const given = input === undefined ? {} : ((await readJson(context.host, input)) as object);
  const hasBody = input !== undefined || field.length > 0;
  const request = isRead
    ? { method, path: withQuery(path, fields), scope }
    : { method, path, scope, key: idempotencyKey, ...(hasBody ? { body: { ...given, ...fields } } : {}) };
  const { response, body } = await answerOf(context, request);
  const { status, headers } = response;
  const answer = include ? { status, headers: Object.fromEntries(headers), body } : body;
  out.answer(answer, () => [plainJson(answer, 2)]);
}

async function pages(context: CommandContext, request: Request, fields: Record<string, string>): Promise<void> {
  let cursor: string | null = null;
  do {
    const path = withQuery(request.path, { ...fields, ...(cursor === null ? {} : { cursor }) });
    const { body } = await answerOf(context, { ...request, path });
    const page = body as { data?: unknown[]; next_page?: string | null };
    if (!Array.isArray(page.data)) throw usageError('This is no list.');
    for (const item of page.data) context.out.item(item, () => plainJson(item));
    cursor = page.next_page ?? null;
  } while (cursor !== null);
}

/** The answer and its body. Throws MarketError, MarketUnreachable. */
async function answerOf(
  context: CommandContext,
  { method, path, scope, body, key }: Request,
): Promise<{ response: Response; body: unknown }> {
  const { host, settings, signal } = context;
  const headers = {
    ...(await context.authorization(scope)),
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  let response: Response;
  let text: string;
  try {
    response = await host.fetch(`${settings.url}${path}`, {
      method,
      headers,
      // The credential must not follow a redirect to somebody else.
      redirect: 'error',
      signal: AbortSignal.any([signal, timeLimit(ANSWER_MS)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw new MarketUnreachable(1, error, key);
  }
  const value = parsed(text);
  if (response.ok) return { response, body: value };
  throw new MarketError(factsOf(response), errorBodyOf(value, response.status), key);
}

/** With one token there is nothing to choose; of several keys a write says which one it takes. */
function scopeOf({ settings }: CommandContext, isRead: boolean): Scope {
  if (isRead || settings.credentials?.type !== 'keys') return 'read';
  throw usageError('A write says which key it takes.', `--scope ${SCOPES.join('|')}`);
}

function withQuery(path: string, fields: Record<string, string>): string {
  const query = new URLSearchParams(fields).toString();
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function fieldIn(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError('A field is written name=value.');
  return [text.slice(0, at), text.slice(at + 1)];
}

function methodIn(text: string): string {
  return text.toUpperCase();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
