import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/environment.js';
import { redactSecrets, SECRET_PATHS } from './redact.js';

/** Members of one access record. */
export type AccessRecord = Readonly<Record<string, string | number | undefined>>;

/**
 * Lines are written together, after 8 KiB or a quarter of a second: a system call for each would cost more than the
 * line.
 */
const GATHERED = { minLength: 8_192, periodicFlush: 250 } as const;

type WrittenLevel = Exclude<LogLevel, 'silent'>;

/**
 * The log of the process: JSON lines, written without waiting for the terminal, free of secrets. Nest's `Logger` and
 * what frameworks report go through it as well.
 */
export class ServiceLog implements LoggerService {
  private readonly logger: Logger;
  private readonly accessLogger: Logger;
  private readonly destination: DestinationStream & { flushSync?: () => void };

  /** @param destination for tests; else standard output. */
  constructor(level: LogLevel, destination?: DestinationStream) {
    this.destination = destination ?? pino.destination({ dest: 1, sync: false, ...GATHERED });
    const { destination: written } = this;
    const options = {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.accessLogger = pino(options, written);
    this.logger = pino(
      { ...options, redact: { paths: [...SECRET_PATHS], censor: '[redacted]' } },
      { write: (line: string) => written.write(redactSecrets(line)) },
    );
  }

  /** One line per request. The record holds nothing that a caller chose (access-record.ts), so nothing is searched for secrets. */
  access(record: AccessRecord): void {
    this.accessLogger.info(record, 'request');
  }

  log(message: unknown, ...more: unknown[]): void {
    this.write('info', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.write('error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.write('trace', message, more);
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  /** Writes what is still in memory; for the end of the process. */
  flush(): void {
    try {
      this.destination.flushSync?.();
    } catch {
      // The destination was never opened or is gone: there is nowhere left to say so.
    }
  }

  /** Nest appends the context as the last text, and a stack or an error before it. */
  private write(level: WrittenLevel, message: unknown, more: readonly unknown[]): void {
    const rest = [...more];
    const context = typeof rest.at(-1) === 'string' ? rest.pop() : undefined;
    const fields: Record<string, unknown> = { context };
    let text = typeof message === 'string' ? message : '';
    for (const part of typeof message === 'string' ? rest : [message, ...rest]) {
      if (part instanceof Error) fields.err = part;
      else if (typeof part === 'object') Object.assign(fields, part);
      else if (typeof part !== 'string') fields.value = part;
      else if (part.includes('\n    at ')) fields.stack = part;
      else text = text === '' ? part : `${text} ${part}`;
    }
    this.logger[level](fields, text);
  }
}
