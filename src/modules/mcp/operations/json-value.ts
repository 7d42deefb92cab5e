/** A JSON object whose members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object; not for an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as an object; empty when it is none. */
export function objectIn(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isObject(member) ? member : {};
}

/** The member as a text; undefined when it is none. */
export function textIn(value: JsonObject, name: string): string | undefined {
  const member = value[name];
  return typeof member === 'string' ? member : undefined;
}

/** The objects in a member that is a list. */
export function objectsIn(value: JsonObject, name: string): JsonObject[] {
  const member = value[name];
  return Array.isArray(member) ? member.filter(isObject) : [];
}

/** The texts in a member that is a list. */
export function textsIn(value: JsonObject, name: string): string[] {
  const member: unknown = value[name];
  return Array.isArray(member) ? member.filter((each) => typeof each === 'string') : [];
}
