// Makes the list of mutants of the escrow. The list depends on the sources alone, so a mutant keeps its name for as long
// as the function around it does.
import { createHash } from 'node:crypto';
import { mutateNode } from './operators.mjs';
import { SourceCut } from './source-cut.mjs';

/** Version of the operators: raise it when the list of mutants of unchanged sources changes. */
export const GENERATOR_VERSION = 2;

/** The files that are mutated: all of our own that the contracts are made of, but for interfaces and types. */
export const MUTATED = [
  'src/TaskEscrow.sol',
  'src/NodeLedger.sol',
  'src/ActionAuthorizer.sol',
  'src/CloneParties.sol',
  'src/libraries/ActionHash.sol',
  'src/TaskEscrowFactory.sol',
  'src/LocalUsdc.sol',
  'src/offchain/UndeployedWalletCheck.sol',
];

/** Hash of the mutated sources and of the types they share; a ledger belongs to exactly one. */
export function sourceHash(sources) {
  const hash = createHash('sha256');
  for (const name of [...MUTATED, 'src/Types.sol']) hash.update(`${name}\n${sources[name].content}\n`);
  return hash.digest('hex');
}

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.nodeType === 'string';

/** Nodes directly below a node. */
function childrenOf(node) {
  const children = [];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'documentation' || key === 'overrides') continue;
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) children.push(item);
  }
  return children;
}

/** Members of all structs and enumerations, by the type's name. */
function typesOf(asts) {
  const structs = new Map();
  const enums = new Map();
  const visit = (node) => {
    if (node.nodeType === 'StructDefinition')
      structs.set(
        node.name,
        node.members.map((member) => ({ name: member.name, type: member.typeDescriptions.typeString })),
      );
    if (node.nodeType === 'EnumDefinition')
      enums.set(
        node.name,
        node.members.map((member) => member.name),
      );
    childrenOf(node).forEach(visit);
  };
  Object.values(asts).forEach(visit);
  return { structs, enums };
}

/** For each parameter and local of a function: the other ones of the same type. */
function scopeOf(definition) {
  const variables = [];
  const visit = (node) => {
    if (node.nodeType === 'VariableDeclaration' && node.name !== '') variables.push(node);
    childrenOf(node).forEach(visit);
  };
  visit(definition);
  const typeOf = (variable) => variable.typeDescriptions.typeString;
  return new Map(
    variables.map((variable) => [
      variable.id,
      variables.filter((other) => other.id !== variable.id && typeOf(other) === typeOf(variable)).map((v) => v.name),
    ]),
  );
}

/**
 * All mutants in the order of the sources.
 * @param {Record<string, { content: string }>} sources by source name
 * @param {Record<string, object>} asts solc's syntax trees by source name
 * @returns {{ id: string, file: string, place: string, line: number, operator: string, from: string, to: string,
 *   source: string }[]} `id` is stable: it names file, function, operator, the two texts and which one of equal ones
 */
export function generateMutants(sources, asts) {
  const types = typesOf(asts);
  const mutants = [];
  for (const file of MUTATED) {
    const cut = new SourceCut(sources[file].content);
    const seen = new Set([sources[file].content]);
    const equals = new Map();
    const walk = (node, context) => {
      let inner = context;
      if (node.nodeType === 'FunctionDefinition' || node.nodeType === 'ModifierDefinition')
        inner = { ...context, inside: true, place: node.name || node.kind, scope: scopeOf(node) };
      // State variables: constants and immutables have a value; nothing else of a contract's surface is mutated.
      if (node.nodeType === 'VariableDeclaration' && node.stateVariable)
        inner = { ...context, inside: true, place: node.name };
      const edit = (operator, range, to) => {
        const source = cut.with(range, to);
        if (seen.has(source)) return;
        seen.add(source);
        const from = cut.slice(range.start, range.end);
        const [flatFrom, flatTo] = [from, to].map((text) => text.replace(/\s+/g, ' ').trim());
        const name = [file, inner.place, operator, flatFrom, flatTo].join('|');
        const count = (equals.get(name) ?? 0) + 1;
        equals.set(name, count);
        const id = createHash('sha256').update(`${name}|${count}`).digest('hex').slice(0, 10);
        const line = cut.slice(0, range.start).split('\n').length;
        mutants.push({ id, file, place: inner.place, line, operator, from: flatFrom, to: flatTo, source });
      };
      if (inner.inside) mutateNode(node, cut, edit, inner);
      for (const child of childrenOf(node)) {
        if (child.nodeType === 'UserDefinedTypeName' || child.nodeType === 'ElementaryTypeName') continue;
        walk(child, { ...inner, emitted: node.nodeType === 'EmitStatement' });
      }
    };
    walk(asts[file], { ...types, scope: new Map(), inside: false, emitted: false, place: '' });
  }
  return mutants;
}
