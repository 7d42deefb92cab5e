import { ApiError } from '../api-error.js';
import { shownName } from './input-faults.js';

/** Query parameters by name; one text each. */
export type QueryParameters = Readonly<Record<string, string>>;

/**
 * The parameters of a query string, without `?`. Refuses names that are not known or given twice (`unknown_parameter`)
 * and text that is not percent-encoded UTF-8 (`invalid_parameter`): what the caller meant is never guessed.
 */
export function parseQueryString(text: string, known: ReadonlySet<string>): QueryParameters {
  const parameters = new Map<string, string>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    const separator = part.indexOf('=');
    const name = decode(separator === -1 ? part : part.slice(0, separator));
    if (!known.has(name)) throw unknownParameter(name, known);
    if (parameters.has(name)) {
      throw new ApiError('unknown_parameter', `The query parameter ${name} is given more than once.`, 'Send it once.');
    }
    parameters.set(name, separator === -1 ? '' : decode(part.slice(separator + 1)));
  }
  return Object.fromEntries(parameters);
}

function unknownParameter(name: string, known: ReadonlySet<string>): ApiError {
  const names = [...known].sort().join(', ');
  return new ApiError(
    'unknown_parameter',
    `The request has a query parameter "${shownName(name)}", which is not known.`,
    names === '' ? 'This operation takes none.' : `This operation takes ${names}.`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('invalid_parameter', 'A query parameter is not percent-encoded UTF-8.');
  }
}
