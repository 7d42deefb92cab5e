import type { ApprovalPaths } from '#libs/approval-wire';
import { textAt, memberOf } from '../../wallets/json.js';
import { declineOf, linkOf, progressOf, simulationOf, submissionOf } from './answer-reader.js';
import { documentOf } from './document-reader.js';
import type { Answer, ApprovalService } from '../ports.js';

/** Milliseconds after which an answer that has not come counts as none. */
const LONGEST_SERVICE_ANSWER_MS = 15_000;

type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** The routes over HTTP. An answer of another shape than was agreed counts as none. */
export function approvalService(paths: ApprovalPaths, send: Fetch): ApprovalService {
  const get = <T>(path: string, read: (body: unknown) => T | null) => ask(send, path, { method: 'GET' }, read);
  const post = <T>(path: string, body: object, read: (body: unknown) => T | null) =>
    ask(send, path, { method: 'POST', body: JSON.stringify(body) }, read);
  return {
    document: () => get(paths.document, documentOf),
    simulation: () => get(paths.simulation, simulationOf),
    submitSignature: (signature) => post(paths.submission, { signature }, submissionOf),
    submitTransaction: (hash) => post(paths.submission, { transaction_hash: hash }, submissionOf),
    decline: () => post(paths.decline, {}, declineOf),
    renew: () => post(paths.renew, {}, linkOf),
    link: () => post(paths.link, {}, linkOf),
    progress: (known) => get(paths.progress + (known ? `?known=${known}` : ''), progressOf),
  };
}

async function ask<T>(
  send: Fetch,
  path: string,
  init: RequestInit,
  read: (body: unknown) => T | null,
): Promise<Answer<T>> {
  try {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (init.body !== undefined) headers['Content-Type'] = 'application/json';
    const signal = AbortSignal.timeout(LONGEST_SERVICE_ANSWER_MS);
    const response = await send(path, { ...init, headers, signal, cache: 'no-store', redirect: 'error' });
    const body: unknown = await response.json();
    if (response.ok) return answerOf(read(body), response.headers.get('date'));
    const error = memberOf(body, 'error');
    const code = textAt(error, 'code');
    // An answer that is not the service's own, such as a gateway's page, says nothing about the request.
    if (code === null || response.status >= 500) return { kind: 'away' };
    return { kind: 'refused', status: response.status, code, reason: textAt(error, 'reason') ?? '' };
  } catch {
    return { kind: 'away' };
  }
}

function answerOf<T>(body: T | null, date: string | null): Answer<T> {
  if (body === null) return { kind: 'away' };
  const dateMs = Date.parse(date ?? '');
  return { kind: 'ok', body, dateMs: Number.isNaN(dateMs) ? null : dateMs };
}
