import { ApiError } from '../../../platform/http/api-error.js';
import type { DescribedOperation } from './described-operation.js';
import type { JsonObject } from './json-value.js';

/** How an operation is called with the arguments of a tool. */
export interface OperationRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** Absent: it has none. */
  body?: JsonObject;
}

/**
 * Puts arguments where the operation takes them: in its path by name, the rest into the query of a read and into the body
 * of a write. What is unknown or wrong there, the operation itself refuses.
 * @throws ApiError `invalid_parameter` for an argument that has no place: a missing or structured one of the path, a
 * structured one of the query, or any for an operation without a body.
 */
export function operationRequest(operation: DescribedOperation, given: JsonObject): OperationRequest {
  const { method, path, pathNames, body } = operation;
  const rest = Object.entries(given).filter(([name]) => !pathNames.includes(name));
  const target = path.replace(/\{([a-z_]+)\}/g, (_whole, name: string) => encodeURIComponent(plain(name, given[name])));
  if (method === 'GET') {
    const query = new URLSearchParams(rest.map(([name, value]) => [name, plain(name, value)])).toString();
    return { method, target: query === '' ? target : `${target}?${query}` };
  }
  if (body === 'json') return { method, target, body: Object.fromEntries(rest) };
  const [unknown] = rest;
  if (unknown !== undefined)
    throw new ApiError('invalid_parameter', 'The tool takes no such argument.', takes(operation));
  return { method, target };
}

function plain(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ApiError('invalid_parameter', `${name} is missing, or is no text, number or boolean.`);
}

function takes({ pathNames }: DescribedOperation): string {
  return `It takes ${pathNames.join(' and ')}.`;
}
