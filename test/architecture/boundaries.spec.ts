import { programFiles } from './source-files.js';

/**
 * Which unit may import which (docs/architecture.md#imports). A unit may import only itself and what is listed here, so
 * a new edge is a reviewed change of one line. Every edge points to a lower level; facts reach higher levels only
 * through modules/events.
 */
const PLATFORM: Record<string, string[]> = {
  'platform/config': [],
  'platform/time': [],
  'platform/logging': ['config'],
  'platform/secrets': ['config'],
  'platform/database': ['config'],
  'platform/http': ['config', 'logging'],
  // `database` only to learn whether a transaction is open, because the chain must not be asked during one.
  'platform/chain': ['config', 'logging', 'http', 'database'],
  'platform/versioning': ['http'],
  'platform/pagination': ['http', 'operations', 'secrets', 'time'],
  'platform/idempotency': ['http', 'database', 'versioning', 'time', 'secrets', 'quotas', 'rate-limit'],
  // What routes are made of: their decorators, inputs, headers and answers.
  'platform/operations': ['http', 'idempotency', 'versioning'],
  'platform/quotas': ['http'],
  'platform/storage': ['config', 'http'],
  'platform/pages': ['config', 'http', 'secrets', 'time'],
  'platform/rate-limit': ['http', 'database', 'config', 'time'],
  // The only way to hosts that strangers have chosen.
  'platform/egress': [],
  'platform/metrics': ['http', 'database'],
  'platform/health': ['http', 'database', 'chain', 'metrics'],
};
const EVERY_PLATFORM_PART_MAY_IMPORT = ['config', 'time'];

const MODULES: Record<string, string[]> = {
  // Tells modules what happened when the module in which it happened must not import them.
  events: [],
  accounts: ['events'],
  credentials: ['events', 'accounts'],
  'sign-in': ['accounts'],
  oauth: ['events', 'accounts', 'credentials', 'sign-in'],
  agents: ['events', 'accounts', 'credentials', 'oauth'],
  artifacts: ['accounts', 'credentials'],
  tasks: ['events', 'accounts', 'credentials', 'agents'],
  quotes: ['events', 'accounts', 'credentials', 'agents', 'tasks', 'matching'],
  escrow: ['events', 'credentials', 'tasks', 'quotes'],
  earnings: ['events', 'credentials', 'escrow'],
  inbox: ['credentials', 'agents', 'escrow'],
  // The links of agents to registries of other markets, and what is exported for those.
  identities: ['accounts', 'credentials', 'agents', 'tasks', 'receipts', 'reputation'],
  me: ['accounts', 'credentials', 'agents', 'prepared-actions'],
  deliveries: ['events', 'credentials', 'artifacts'],
  reputation: ['events', 'accounts', 'credentials'],
  matching: ['events', 'credentials', 'agents', 'tasks', 'reputation'],
  previews: ['credentials', 'artifacts', 'tasks'],
  'prepared-actions': [
    'events',
    'accounts',
    'credentials',
    'oauth',
    'agents',
    'artifacts',
    'tasks',
    'quotes',
    'matching',
    'escrow',
    'earnings',
    'deliveries',
  ],
  signing: [
    'events',
    'accounts',
    'credentials',
    'event-feed',
    'sign-in',
    'oauth',
    'previews',
    'escrow',
    'prepared-actions',
    'receipts',
  ],
  mcp: ['credentials', 'prepared-actions', 'signing'],
  receipts: ['events', 'credentials', 'tasks'],
  'event-feed': ['events', 'credentials'],
  webhooks: ['events', 'accounts', 'credentials'],
  'event-bus': ['events'],
  account: ['events', 'accounts', 'credentials', 'sign-in', 'oauth', 'prepared-actions', 'receipts', 'webhooks'],
};

const LIBS: Record<string, string[]> = {
  // `notation` and `prepared-action` also run in browsers, so nothing in them may need Node.
  notation: [],
  'text-search': [],
  kernel: ['notation'],
  'prepared-action': ['notation'],
  contracts: ['kernel', 'prepared-action'],
  // Runs in browsers as well, and is installed without anything else of this repository.
  sdk: ['notation', 'prepared-action'],
  // The program that is published: a customer of the public interface, as any other.
  cli: ['notation', 'prepared-action', 'sdk'],
  // The messages between the signing page and the service.
  'approval-wire': ['prepared-action'],
};

/** The parts of the platform that may know the contracts. */
const KNOW_CONTRACTS = ['platform/chain'];

/** Files that only their own module may import. */
const PRIVATE = /\/(?:dto|kinds)\/|\.controller\.ts$/;

const files = programFiles();
const edges = files.flatMap((file) =>
  file.imports.flatMap(({ file: target }) => (target === undefined ? [] : [{ from: file.path, to: target }])),
);

/**
 * The unit of a file: `platform/http`, `modules/tasks`, `libs/kernel`, `documents`, or `top` for the files that put units
 * together.
 */
function unitOf(path: string): string {
  if (path.endsWith('.json')) return 'documents';
  const inner = path.replace(/^src\//, '');
  const [, unit] = /^((?:platform|modules|libs)\/[^/]+)\//.exec(inner) ?? [];
  return unit ?? 'top';
}

function isAllowed(from: string, to: string): boolean {
  if (from === to || from === 'top') return true;
  // What the service tells of itself, from which the market for tests is made.
  if (to === 'documents') return from === 'libs/sdk';
  const [fromKind = '', fromName = ''] = from.split('/');
  const [toKind = '', toName = ''] = to.split('/');
  if (fromKind === 'libs') return toKind === 'libs' && (LIBS[fromName] ?? []).includes(toName);
  if (toKind === 'libs') return fromKind === 'modules' || toName === 'kernel' || KNOW_CONTRACTS.includes(from);
  if (fromKind === 'modules') {
    return toKind === 'platform' || (toKind === 'modules' && (MODULES[fromName] ?? []).includes(toName));
  }
  if (toKind !== 'platform' || to in PLATFORM === false) return false;
  return [...(PLATFORM[from] ?? []), ...EVERY_PLATFORM_PART_MAY_IMPORT].includes(toName);
}

describe('imports', () => {
  it('follow the table', () => {
    const broken = edges
      .filter(({ from, to }) => !isAllowed(unitOf(from), unitOf(to)))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(broken).toEqual([]);
  });

  it('name only folders that the table lists', () => {
    const listed = new Set([
      'top',
      ...Object.keys(PLATFORM),
      ...Object.keys(MODULES).map((name) => `modules/${name}`),
      ...Object.keys(LIBS).map((name) => `libs/${name}`),
    ]);
    expect([...new Set(files.map(({ path }) => unitOf(path)))].filter((unit) => !listed.has(unit))).toEqual([]);
  });

  it('never reach into the private files of another module', () => {
    const broken = edges
      .filter(({ from, to }) => unitOf(from) !== 'top' && unitOf(from) !== unitOf(to) && to.startsWith('src/modules/'))
      .filter(({ to }) => PRIVATE.test(to))
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(broken).toEqual([]);
  });

  it('of the browser programs lead to libs alone', () => {
    const web = edges.filter(({ from }) => from.startsWith('src/web/'));
    expect(web.length).toBeGreaterThan(50);
    expect(web.filter(({ to }) => !/^(?:src\/web|libs)\//.test(to)).map(({ from, to }) => `${from} -> ${to}`)).toEqual(
      [],
    );
  });

  it('of the service never lead to src/dev, where the local market, the demo and the measurements are', () => {
    const toDev = edges.filter(({ to }) => to.startsWith('src/dev/'));
    expect(toDev.length).toBeGreaterThan(50);
    expect(toDev.filter(({ from }) => !from.startsWith('src/dev/')).map(({ from, to }) => `${from} -> ${to}`)).toEqual(
      [],
    );
  });

  it('enter a lib through its name only', () => {
    const broken = files.flatMap(({ path, imports }) =>
      imports
        .filter(
          ({ specifier, file }) =>
            file?.startsWith('libs/') && unitOf(path) !== unitOf(file) && !specifier.startsWith('#'),
        )
        .map(({ specifier }) => `${path} -> ${specifier}`),
    );
    expect(broken).toEqual([]);
  });

  it('lead to files that exist', () => {
    const known = new Set(files.map(({ path }) => path));
    expect(
      edges
        .filter(({ to }) => !known.has(to) && !to.includes('/generated/') && to.endsWith('.ts'))
        .map(({ from, to }) => `${from} -> ${to}`),
    ).toEqual([]);
  });

  it('form no circle, not even inside a module', () => {
    expect(circles()).toEqual([]);
  });

  it('never use forwardRef, which hides one', () => {
    expect(files.filter(({ text }) => /\bforwardRef\(/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('leave nobody below the top importing it', () => {
    const broken = edges.filter(({ from, to }) => unitOf(from) !== 'top' && unitOf(to) === 'top');
    expect(broken).toEqual([]);
  });
});

describe('the program', () => {
  const outside = (pattern: RegExp, allowed: (path: string) => boolean) =>
    files
      .filter(({ path, text }) => path.startsWith('src/') && !allowed(path) && pattern.test(withoutComments(text)))
      .map(({ path }) => path);

  it('reads environment variables in platform/config only', () => {
    const isOwner = (path: string) => path.startsWith('src/platform/config/') || path.startsWith('src/dev/');
    expect(outside(/\bprocess\.env\b/, isOwner)).toEqual([]);
  });

  it('reads the time through its clock only', () => {
    const isOwner = (path: string) => path === 'src/platform/time/clock.ts' || path.startsWith('src/dev/');
    expect(outside(/\bDate\.now\(|\bnew Date\(\)/, isOwner)).toEqual([]);
  });

  it('takes chance from crypto only', () => {
    expect(outside(/\bMath\.random\(/, () => false)).toEqual([]);
  });

  it('keeps barrels to the entrances of the libs', () => {
    const barrels = files.map(({ path }) => path).filter((path) => path.endsWith('/index.ts'));
    expect(barrels.sort()).toEqual(
      Object.keys(LIBS)
        // A program: nothing imports it.
        .filter((name) => name !== 'cli')
        .map((name) => `libs/${name}/src/index.ts`)
        .sort(),
    );
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Import cycles between files, each as the path around it. Type imports count, because they couple files as well. */
function circles(): string[] {
  const next = new Map(files.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (trail.includes(path) || done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}
