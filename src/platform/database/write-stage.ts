import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How far a write has come. `reading`: it has no transaction yet, and each statement is by itself. `writing`: its
 * transaction is open, with a connection and whatever it has locked. `over`: it was committed or undone.
 */
export type Stage = 'reading' | 'writing' | 'over';

/** The stage of one write; it changes while the write goes on. */
export interface WriteStage {
  stage: Stage;
  /** Settles when it is known whether there is anything to write; null or absent: it is known. */
  readonly cleared?: Promise<unknown> | null;
}

/** Statements that change or lock something, or notify somebody; `FOR UPDATE` matches as an update. */
const WRITES =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|for\s+(?:key\s+)?share|pg_notify|nextval|setval|pg_\w*advisory\w*)\b/i;
const BEGINNINGS_OF_READS = /^(?:select|with|values|table|explain|show)\b/i;
/** By text, whether a statement writes: a process runs few statements, and the same ones again and again. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 2_000;

const current = new AsyncLocalStorage<WriteStage>();

/** Runs `work` as a part of a write that has come to this stage. */
export function atStage<T>(stage: WriteStage, work: () => T): T {
  return current.run(stage, work);
}

/**
 * Must be waited for before a write asks another server, so that one that is over before it has begun asks nobody: it
 * may have been answered long ago. Null when nothing is to be waited for.
 */
export function untilCleared(): Promise<unknown> | null {
  return current.getStore()?.cleared ?? null;
}

/**
 * Must be called before the service asks another server whose answer may be slow.
 * @throws Error when a transaction is open: its connection and its locks would be held all the while.
 */
export function refuseWhileWriting(what: string): void {
  if (current.getStore()?.stage === 'writing') throw new AskedWhileWriting(what);
}

/** A mistake of the program: it must ask other servers before the transaction of its write opens. */
export class AskedWhileWriting extends Error {
  constructor(what: string) {
    super(`${what} was asked for while a transaction was open: it must come before the first Transactions.run`);
  }
}

/**
 * Must be called with each statement of the connections that write.
 * @throws Error when a write that has no transaction yet changes something: that would be committed by itself.
 */
export function refuseStrayWrite(text: string): void {
  if (current.getStore()?.stage === 'reading' && isWrite(text)) {
    throw new Error(`A statement that writes came before its transaction, outside of Transactions.run: ${text}`);
  }
}

function isWrite(text: string): boolean {
  let writes = known.get(text);
  if (writes === undefined) {
    writes = text !== '' && (WRITES.test(text) || !BEGINNINGS_OF_READS.test(text.trimStart()));
    if (known.size < MOST_KNOWN) known.set(text, writes);
  }
  return writes;
}
