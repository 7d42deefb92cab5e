// The operators of the mutation run: each takes a node of solc's AST and says which edits of the source it stands for.
// An edit replaces one source range; offsets are bytes, as solc counts them.

/** Source text of the zero value of a type; undefined for a type that has none here. */
export function defaultOf(typeString = '') {
  if (/^u?int/.test(typeString) || typeString.startsWith('int_const')) return '0';
  if (typeString.startsWith('address')) return 'address(0)';
  if (/^bytes\d+$/.test(typeString)) return `${typeString}(0)`;
  if (typeString === 'bool') return 'false';
  const enumeration = /^enum (\w+)$/.exec(typeString);
  return enumeration === null ? undefined : `${enumeration[1]}(0)`;
}

const RELATIONAL = ['<', '<=', '>', '>='];
const ARITHMETIC = { '+': ['-', '*'], '-': ['+', '*'], '*': ['+', '/'], '/': ['*', '%'], '%': ['/', '*'] };
const BITWISE = { '&': ['|', '^'], '|': ['&', '^'], '^': ['&', '|'], '<<': ['>>'], '>>': ['<<'] };
const ASSIGNMENT = { '+=': ['-=', '='], '-=': ['+=', '='], '|=': ['^=', '&=', '='], '^=': ['|=', '&=', '='] };
const YUL_CALLS = { add: ['sub'], sub: ['add'], shr: ['shl'], shl: ['shr'], mload: ['calldataload'] };

const isOrdered = (type = '') => /^(u?int|enum)/.test(type);

/** Mutations of a binary operator and its operands. */
function binary(node, cut, edit) {
  const { leftExpression: left, rightExpression: right, operator } = node;
  const between = { start: cut.end(left), end: cut.start(right) };
  const swap = (name, to) => edit(name, between, ` ${to} `);
  if (RELATIONAL.includes(operator)) for (const to of RELATIONAL) if (to !== operator) swap('relational', to);
  if (operator === '==' || operator === '!=') {
    swap('equality', operator === '==' ? '!=' : '==');
    if (isOrdered(left.typeDescriptions.typeString))
      for (const to of operator === '==' ? ['<=', '>='] : ['<', '>']) swap('equality', to);
  }
  for (const to of ARITHMETIC[operator] ?? []) swap('arithmetic', to);
  for (const to of BITWISE[operator] ?? []) swap('bitwise', to);
  if (operator === '&&' || operator === '||') {
    swap('logical', operator === '&&' ? '||' : '&&');
    edit('operand', cut.range(node), cut.text(left));
    edit('operand', cut.range(node), cut.text(right));
  }
}

/** A number in Solidity or Yul: becomes one more, one less, and zero. `4 hours` keeps its unit. */
function number(node, cut, edit) {
  const text = cut.text(node);
  const digits = /^(0x[0-9a-fA-F]+|\d[\d_]*)/.exec(text)?.[0];
  if (digits === undefined) return;
  const value = BigInt(digits.replaceAll('_', ''));
  const unit = text.slice(digits.length);
  for (const to of new Set([value + 1n, value - 1n, 0n]))
    if (to >= 0n && to !== value) edit('number', cut.range(node), `${to}${unit}`);
}

function literal(node, cut, edit) {
  const range = cut.range(node);
  if (node.kind === 'bool') edit('boolean', range, node.value === 'true' ? 'false' : 'true');
  else if (node.kind === 'number') number(node, cut, edit);
  else if (node.kind === 'string') {
    const text = cut.text(node);
    edit('text', range, '""');
    edit('text', range, `${text.slice(0, -2)}~"`);
  } else if (node.kind === 'hexString') {
    edit('text', range, `hex"${node.hexValue.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}"`);
  }
}

/**
 * Arguments: two of the same type change places, one of an event becomes its zero value, one of an encoding is left
 * out.
 */
function call(node, cut, edit, { emitted }) {
  const { arguments: args, expression } = node;
  for (let i = 0; i < args.length; ++i)
    for (let j = i + 1; j < args.length; ++j) {
      const [a, b] = [args[i], args[j]];
      const same = (x) => x.typeDescriptions.typeString.replace(/ payable$/, '').replace(/^contract \w+$/, 'address');
      if (same(a) !== same(b) || cut.text(a) === cut.text(b)) continue;
      const middle = cut.slice(cut.end(a), cut.start(b));
      edit('argument-swap', { start: cut.start(a), end: cut.end(b) }, `${cut.text(b)}${middle}${cut.text(a)}`);
    }
  if (emitted)
    for (const arg of args) {
      const none = defaultOf(arg.typeDescriptions.typeString);
      if (none !== undefined && none !== cut.text(arg)) edit('event-argument', cut.range(arg), none);
    }
  const encodes = expression.nodeType === 'MemberAccess' && expression.memberName.startsWith('encode');
  if (encodes && args.length > 1)
    for (let i = 0; i < args.length; ++i) {
      const start = i === 0 ? cut.start(args[0]) : cut.end(args[i - 1]);
      const end = i === 0 ? cut.start(args[1]) : cut.end(args[i]);
      edit('encoding-member', { start, end }, '');
    }
  // Narrows the number first: uint40(x) -> uint40(uint32(x)).
  const width = /^type\(uint(\d+)\)$/.exec(expression.typeDescriptions?.typeString ?? '')?.[1];
  if (node.kind === 'typeConversion' && width !== undefined && Number(width) > 8)
    edit('cast', cut.range(args[0]), `uint${Number(width) - 8}(${cut.text(args[0])})`);
}

function condition(node, cut, edit) {
  const range = cut.range(node);
  edit('condition', range, `!(${cut.text(node)})`);
  edit('condition', range, 'true');
  edit('condition', range, 'false');
}

const DELETED = new Set([
  'ExpressionStatement',
  'RevertStatement',
  'EmitStatement',
  'IfStatement',
  'ForStatement',
  'WhileStatement',
  'TryStatement',
  'YulExpressionStatement',
  'YulAssignment',
]);
const ARITHMETIC_SIGN = /[^=!<>]\s[-+*]\s|[-+]=|\+\+/;

function statement(node, cut, edit) {
  const range = cut.statement(node);
  if (DELETED.has(node.nodeType)) edit('deletion', range, node.nodeType.startsWith('Yul') ? '' : '{}');
  if (node.nodeType === 'ExpressionStatement' && ARITHMETIC_SIGN.test(cut.text(node)))
    edit('unchecked', range, `unchecked { ${cut.slice(range.start, range.end)} }`);
  if (node.nodeType === 'UncheckedBlock')
    edit('checked', { start: cut.start(node), end: cut.start(node) + 'unchecked'.length }, '');
  if (node.nodeType === 'VariableDeclarationStatement' && node.initialValue && node.declarations.length === 1) {
    const [declaration] = node.declarations;
    if (declaration?.storageLocation === 'default')
      edit('initial-value', { start: cut.end(declaration), end: cut.end(node.initialValue) }, '');
  }
}

/** Two neighbouring statements change places. */
function order({ statements }, cut, edit) {
  for (let i = 0; i + 1 < statements.length; ++i) {
    const [a, b] = [cut.statement(statements[i]), cut.statement(statements[i + 1])];
    const between = cut.slice(a.end, b.start);
    edit(
      'statement-order',
      { start: a.start, end: b.end },
      `${cut.slice(b.start, b.end)}${between}${cut.slice(a.start, a.end)}`,
    );
  }
}

/** Names: another variable or member of the same type, another member of the enumeration. */
function name(node, cut, edit, { scope, structs, enums }) {
  const type = node.typeDescriptions?.typeString ?? '';
  const range = cut.range(node);
  if (node.nodeType === 'Identifier') {
    for (const other of scope.get(node.referencedDeclaration) ?? []) edit('variable', range, other);
    return;
  }
  const owner = node.expression.typeDescriptions?.typeString ?? '';
  if (owner.startsWith('type(enum '))
    for (const other of enums.get(type.replace('enum ', '')) ?? [])
      if (other !== node.memberName) edit('enum-member', range, `${cut.text(node.expression)}.${other}`);
  const struct = /^struct (\w+)/.exec(owner)?.[1];
  for (const other of structs.get(struct) ?? [])
    if (other.name !== node.memberName && other.type === type)
      edit('struct-member', range, `${cut.text(node.expression)}.${other.name}`);
}

/**
 * Calls `edit(operator, range, replacement)` for every mutation of one node (not of its children).
 * @param {object} node a node of solc's AST
 * @param {import('./source-cut.mjs').SourceCut} cut reads the source by node
 * @param {(operator: string, range: { start: number, end: number }, replacement: string) => void} edit
 * @param {object} context what stands around the node, see {@link ./generator.mjs}
 */
export function mutateNode(node, cut, edit, context) {
  statement(node, cut, edit);
  switch (node.nodeType) {
    case 'BinaryOperation':
      binary(node, cut, edit);
      break;
    case 'UnaryOperation':
      if (node.operator === '!') edit('negation', cut.range(node), cut.text(node.subExpression));
      if (node.operator === '++') edit('step', cut.range(node), `--${cut.text(node.subExpression)}`);
      break;
    case 'Assignment':
      for (const to of ASSIGNMENT[node.operator] ?? [])
        edit('assignment', { start: cut.end(node.leftHandSide), end: cut.start(node.rightHandSide) }, ` ${to} `);
      break;
    case 'Literal':
    case 'YulLiteral':
      literal(node, cut, edit);
      break;
    case 'YulFunctionCall':
      for (const to of YUL_CALLS[node.functionName.name] ?? []) edit('yul-call', cut.range(node.functionName), to);
      break;
    case 'FunctionCall':
      call(node, cut, edit, context);
      break;
    case 'IfStatement':
      condition(node.condition, cut, edit);
      if (node.falseBody) edit('deletion', { start: cut.end(node.trueBody), end: cut.end(node.falseBody) }, '');
      break;
    case 'WhileStatement':
    case 'ForStatement':
      if (node.condition) condition(node.condition, cut, edit);
      break;
    case 'Conditional':
      condition(node.condition, cut, edit);
      break;
    case 'Return': {
      if (!node.expression) break;
      const none = defaultOf(node.expression.typeDescriptions.typeString);
      if (none !== undefined && none !== cut.text(node.expression)) edit('return', cut.range(node.expression), none);
      if (node.expression.typeDescriptions.typeString === 'bool')
        edit('return', cut.range(node.expression), `!(${cut.text(node.expression)})`);
      break;
    }
    case 'Block':
    case 'UncheckedBlock':
    case 'YulBlock':
      order(node, cut, edit);
      break;
    case 'ModifierInvocation':
      edit('modifier', cut.range(node), '');
      break;
    case 'Identifier':
    case 'MemberAccess':
      name(node, cut, edit, context);
      break;
  }
}
