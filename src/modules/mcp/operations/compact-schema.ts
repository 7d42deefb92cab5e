import { isObject, type JsonObject, objectIn, objectsIn, textIn, textsIn } from './json-value.js';

/** Longer descriptions stay in the document: every tool's definition is read by a model before each turn. */
const LONGEST_DESCRIPTION = 64;
const KEPT = ['type', 'enum', 'format', 'default', 'minimum'] as const;

/**
 * A schema of the OpenAPI document as a tool states it: references resolved, forms of a body joined into one object, and
 * without patterns, examples and long descriptions. It says less than the operation checks, which tells what is wrong.
 */
export function compactSchema(schema: JsonObject, document: JsonObject, isInner = false): JsonObject {
  const whole = resolvedSchema(schema, document);
  const forms = objectsIn(whole, 'oneOf').map((form) => compactSchema(form, document, isInner));
  if (forms.length > 0) return joined(forms);
  const kept: Record<string, unknown> = {};
  for (const name of KEPT) if (whole[name] !== undefined) kept[name] = whole[name];
  const description = isInner ? undefined : shortDescription(whole);
  if (description !== undefined) kept['description'] = description;
  if (isObject(whole['items'])) kept['items'] = compactSchema(whole['items'], document, true);
  if (isObject(whole['properties'])) {
    const members = Object.entries(whole['properties']).filter((entry): entry is [string, JsonObject] =>
      isObject(entry[1]),
    );
    const depth = members.map(([name, member]) => [name, compactSchema(member, document, isInner)] as const);
    kept['properties'] = Object.fromEntries(depth);
    if (textsIn(whole, 'required').length > 0) kept['required'] = whole['required'];
  }
  return kept;
}

/** Follows references, and takes the members of `allOf` into one schema. The outer description is the nearer one. */
export function resolvedSchema(schema: JsonObject, document: JsonObject): JsonObject {
  const reference = textIn(schema, '$ref');
  if (reference !== undefined) return resolvedSchema(referenced(reference, document), document);
  const parts = objectsIn(schema, 'allOf');
  if (parts.length === 0) return schema;
  const merged: JsonObject = Object.assign({}, ...parts.map((part) => resolvedSchema(part, document)));
  const { allOf: _parts, ...own } = schema;
  return { ...merged, ...own };
}

/** What a reference within the document, such as `#/components/schemas/Money`, names. */
export function referenced(reference: string, document: JsonObject): JsonObject {
  const path = reference.replace(/^#\//, '').split('/');
  const found = path.reduce<JsonObject>((place, name) => objectIn(place, name), document);
  if (Object.keys(found).length === 0) throw new Error(`The document has no ${reference}`);
  return found;
}

/** One object of all members of the forms; required are those that every form requires. */
function joined(forms: readonly JsonObject[]): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const form of forms) {
    for (const [name, member] of Object.entries(objectIn(form, 'properties'))) {
      if (!isObject(member)) continue;
      const before = properties[name];
      const values = before === undefined ? [] : textsIn(before, 'enum');
      const { description: _ofOneForm, ...plain } = member;
      properties[name] = values.length === 0 ? plain : { ...plain, enum: [...values, ...textsIn(member, 'enum')] };
    }
  }
  const [first = [], ...others] = forms.map((form) => textsIn(form, 'required'));
  const required = first.filter((name) => others.every((names) => names.includes(name)));
  return { type: 'object', properties, required };
}

/** The first sentence, where it is short. */
function shortDescription(schema: JsonObject): string | undefined {
  const [sentence = ''] = (textIn(schema, 'description') ?? '').split(/(?<=[.;:])\s/);
  const text = sentence.replace(/[.;:]$/, '');
  return text === '' || text.length > LONGEST_DESCRIPTION ? undefined : text;
}
