import { ActionNotExecuted, MarketError, MarketUnreachable, PreparedActionRejected } from '#libs/sdk';
import { ActionUnderWay, CliError, EXIT, type ExitCode, type Fault } from './cli-error.js';
import { plain } from './plain-text.js';

type Detail = NonNullable<MarketError['details']>[number];

/** Headline and exit code of a refusal, by its HTTP status. */
const REFUSALS: Readonly<Record<number, readonly [ExitCode, string]>> = {
  400: [EXIT.usage, 'The market does not understand this request.'],
  401: [EXIT.auth, 'The market does not accept the credential.'],
  403: [EXIT.auth, 'The credential does not allow this.'],
  404: [EXIT.notFound, 'Not found.'],
  409: [EXIT.conflict, 'This does not fit the state of things.'],
  413: [EXIT.usage, 'This is too large.'],
  422: [EXIT.usage, 'The market does not understand this request.'],
  429: [EXIT.rateLimited, 'Too many requests.'],
};
const REFUSED = [EXIT.failed, 'The market has refused this.'] as const;
const ENDINGS: Readonly<Record<string, ExitCode>> = { declined: EXIT.declined, expired: EXIT.expired };

/** What the faults of one call are told with. */
export interface Telling {
  /**
   * The command line that repeats the call under a key: a write may have been carried out although nobody has answered.
   * Absent: it is not to be repeated.
   */
  readonly repeatWith?: (idempotencyKey: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What to say about anything that a command has thrown. */
export function faultOf(error: unknown, telling: Telling): Fault {
  if (error instanceof CliError) return error.fault;
  if (error instanceof ActionUnderWay) return underWay(error, telling);
  if (error instanceof MarketError) return refusal(error, telling);
  if (error instanceof MarketUnreachable) {
    const advice = repetition(error, telling) ?? 'Check the address and the connection: tasktree doctor.';
    return { exit: EXIT.failed, what: 'The market has not answered.', why: error.message, advice, code: 'unreachable' };
  }
  if (error instanceof PreparedActionRejected) return rejection(error, telling);
  if (error instanceof ActionNotExecuted) {
    const { action_id: id, status } = error.record;
    return {
      exit: ENDINGS[status] ?? EXIT.failed,
      what: `The action was not executed: it is ${status}.`,
      advice: `See what it was: tasktree actions show ${id}`,
      code: `action_${status}`,
    };
  }
  const { name, message = String(error) } = (error ?? {}) as Partial<Error>;
  if (name === 'TimeoutError') {
    return { exit: EXIT.failed, what: 'The time that was given for it is over.', code: 'timeout' };
  }
  return { exit: EXIT.failed, what: message, code: 'failed' };
}

function refusal(error: MarketError, telling: Telling): Fault {
  const { status, code, reason, suggestion, details = [], requestId, retryAfterSeconds } = error;
  const [exit, what] = REFUSALS[status] ?? REFUSED;
  const later = retryAfterSeconds === undefined ? undefined : `Again after ${retryAfterSeconds} s.`;
  const login = status === 401 ? 'Sign in again: tasktree login' : undefined;
  // A gateway may say so of a write that was carried out behind it.
  const repeat = status >= 500 || status === 429 ? repetition(error, telling) : undefined;
  const advice = joined(suggestion, later, login, repeat);
  return {
    exit,
    what,
    why: [reason, ...details.flatMap((one) => detailOf(one, reason))].join(' '),
    advice,
    code,
    requestId,
  };
}

/** What a detail says beyond the reason of the whole. */
function detailOf({ path, reason, refills_at: refill }: Detail, whole: string): string[] {
  const [at, text] = [plain(path), plain(reason)];
  const where = at === '' || text.startsWith(at) ? '' : `${at}: `;
  return [
    ...(plain(whole).includes(text) ? [] : [where + text]),
    ...(typeof refill === 'string' ? [`refills_at: ${plain(refill)}`] : []),
  ];
}

function repetition({ idempotencyKey: key }: MarketError | MarketUnreachable, { repeatWith }: Telling) {
  return key === undefined || repeatWith === undefined ? undefined : `Safe to repeat: ${repeatWith(key)}`;
}

/** Neither the command nor the key of the preparation helps any more: repeated, it would be paid again. */
function underWay({ actionId, cause }: ActionUnderWay, { now }: Telling): Fault {
  const fault = faultOf(cause, { now });
  if ([CliError, PreparedActionRejected, ActionNotExecuted].some((told) => cause instanceof told)) return fault;
  const advice = `Do not repeat the command, see what becomes of the action: tasktree actions wait ${actionId}`;
  return { ...fault, advice: joined(fault.advice, advice) };
}

function rejection({ failed, answer, signed }: PreparedActionRejected, { now }: Telling): Fault {
  const why = failed.map(({ title, detail }) => `${title}: ${detail}`).join('; ');
  const { action_id: id, expires_at: end } = (answer ?? {}) as { action_id?: unknown; expires_at?: unknown };
  // A preparation that is repeated under its key is the one of before.
  if (failed.every(({ name }) => name === 'expiry') && Date.parse(String(end)) <= now()) {
    return {
      exit: EXIT.expired,
      what: 'It has expired; prepare it again.',
      why,
      advice: `First see what has become of it, because it may have been signed in time: tasktree actions show ${plain(id)}`,
      code: 'expired',
    };
  }
  if (signed) {
    return {
      exit: EXIT.verification,
      what: 'What came back to be sent is not what was signed. It was not sent; the signature was given to the market.',
      why,
      advice: `Tell the operator of the market, and see what becomes of the action: tasktree actions wait ${plain(id)}`,
      code: 'verification_failed',
    };
  }
  return {
    exit: EXIT.verification,
    what: 'The market has prepared something else than what was asked for. Nothing was signed.',
    why,
    advice: 'Do not sign it, and tell the operator of the market.',
    code: 'verification_failed',
  };
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join(' ') || undefined;
}
