import { resolved, type Schema } from './interface-document.js';

/** A member that is wrong, as the service tells it in `details`. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}

/** Everything in which a value differs from its schema. */
export function faultsOf(value: unknown, schema: Schema, path: string): Fault[] {
  const { oneOf, ...rules } = resolved(schema);
  if (oneOf !== undefined) {
    const ways = oneOf.map((one) => faultsOf(value, one, path));
    return ways.some((faults) => faults.length === 0) ? [] : fewest(ways);
  }
  const fault = (text: string): Fault[] => [{ path, reason: `${path === '' ? 'The body' : path} ${text}.` }];
  const types = [rules.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return fault(`must be ${types.join(' or ')}`);
  if (rules.enum !== undefined && !rules.enum.includes(value)) return fault(`is one of ${rules.enum.join(', ')}`);
  if (typeof value === 'string') return textFault(value, rules, fault);
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = rules;
    return value < minimum || value > maximum ? fault(`must be from ${minimum} to ${maximum}`) : [];
  }
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Infinity, items = {} } = rules;
    if (value.length < minItems || value.length > maxItems) return fault(`must have ${minItems} to ${maxItems} items`);
    return value.flatMap((item, at) => faultsOf(item, items, `${path}.${at}`));
  }
  return typeof value === 'object' && value !== null ? memberFaults(value, rules, path, fault) : [];
}

function memberFaults(value: object, rules: Schema, path: string, fault: (text: string) => Fault[]): Fault[] {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = rules;
  const prefix = path === '' ? '' : `${path}.`;
  if (Object.keys(value).length < minProperties) return fault('must have a member');
  const absent = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: prefix + name, reason: `${prefix}${name} is required.` }));
  const others = Object.entries(value).flatMap(([name, member]) => {
    const schema = properties[name];
    if (schema !== undefined) return faultsOf(member, schema, prefix + name);
    if (additionalProperties !== false) return [];
    return [{ path: prefix + name, reason: `The body has a member "${prefix}${name}", which is not known.` }];
  });
  return [...absent, ...others];
}

function textFault(value: string, rules: Schema, fault: (text: string) => Fault[]): Fault[] {
  const { minLength = 0, maxLength = Infinity, pattern, format } = rules;
  const length = Array.from(value).length;
  if (length < minLength || length > maxLength) return fault(`must have ${minLength} to ${maxLength} characters`);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return fault(`must match ${pattern}`);
  if (format === 'date-time' && !(/^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)))) {
    return fault('must be an instant such as 2026-11-20T12:55:00Z');
  }
  return format === 'uri' && !URL.canParse(value) ? fault('must be a URL') : [];
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function fewest(ways: readonly Fault[][]): Fault[] {
  return ways.reduce((least, way) => (way.length < least.length ? way : least));
}
