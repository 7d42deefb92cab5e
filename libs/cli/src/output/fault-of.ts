import { ActionNotExecuted, MarketError, MarketUnreachable, PreparedActionRejected } from '#libs/sdk';
import { CliError, EXIT, type ExitCode, type Fault } from './cli-error.js';
import { plain } from './plain-text.js';

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

/**
 * What to say about anything that a command has thrown.
 * @param repeatWith the command line that repeats the call under a key; a write may have been carried out although
 * nobody has answered.
 */
export function faultOf(error: unknown, repeatWith: (idempotencyKey: string) => string): Fault {
  if (error instanceof CliError) return error.fault;
  if (error instanceof MarketError) return refusal(error, repeatWith);
  if (error instanceof MarketUnreachable) {
    const { idempotencyKey } = error;
    const advice =
      idempotencyKey === undefined
        ? 'Check the address and the connection: tasktree doctor'
        : `Safe to repeat: ${repeatWith(idempotencyKey)}`;
    return { exit: EXIT.failed, what: 'The market has not answered.', why: error.message, advice, code: 'unreachable' };
  }
  if (error instanceof PreparedActionRejected) {
    return {
      exit: EXIT.verification,
      what: 'The market has prepared something else than what was asked for. Nothing was signed.',
      why: error.failed.map(({ title, detail }) => `${title}: ${detail}`).join('; '),
      advice: 'Do not sign it, and tell the operator of the market.',
      code: 'verification_failed',
    };
  }
  if (error instanceof ActionNotExecuted) {
    const { action_id: id, status } = error.record;
    return {
      exit: ENDINGS[status] ?? EXIT.failed,
      what: `The action was not executed: it is ${status}.`,
      advice: `See what it was: tasktree actions show ${id}`,
      code: `action_${status}`,
    };
  }
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  if (name === 'TimeoutError') {
    return { exit: EXIT.failed, what: 'The time that was given for it is over.', code: 'timeout' };
  }
  return { exit: EXIT.failed, what: message, code: 'failed' };
}

function refusal(error: MarketError, repeatWith: (idempotencyKey: string) => string): Fault {
  const { status, code, suggestion, details = [], requestId, retryAfterSeconds, idempotencyKey: key } = error;
  const [exit, what] = REFUSALS[status] ?? REFUSED;
  const reason = error.message.slice(`${code}: `.length, suggestion === undefined ? undefined : -suggestion.length - 1);
  const rows = details.map((detail) => Object.values(detail).map(plain).join(' '));
  const later = retryAfterSeconds === undefined ? [] : [`Again after ${retryAfterSeconds} s.`];
  const login = status === 401 ? ['Sign in again: tasktree login'] : [];
  // A gateway may say so of a write that was carried out behind it.
  const repeat = key !== undefined && (status >= 500 || status === 429) ? [`Safe to repeat: ${repeatWith(key)}`] : [];
  const advice = [suggestion, ...later, ...login, ...repeat].filter((text) => text !== undefined).join(' ');
  return { exit, what, why: [reason, ...rows].join('; '), advice: advice || undefined, code, requestId };
}
