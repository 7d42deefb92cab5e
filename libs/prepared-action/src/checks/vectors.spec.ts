import { jcs } from '#libs/notation';
import { signable, type Signable, SIGNABLE_NAMES } from '../../../../test/support/signable-actions.js';
import { jsonOf, notKept, vectorOf, verdictOf } from '../../../../test/support/vectors.js';
import { requestDigestOf } from '../hashing/hashing.js';
import { matchCode } from '../match-code/match-code.js';
import { hashTypedData } from '../typed-data/typed-data-hash.js';

/*
 * What the vectors for other languages hold beside the attacks and the calls, which the specs of those keep
 * (test/support/attacks.ts, signed-call.spec.ts). `npm run vectors` writes them.
 */

const honest = new Map(SIGNABLE_NAMES.map((name) => [name, jsonOf(signable(name))]));

/** An honest action of which the client knows less, or whose answer is no action at all. */
function changed(change: (target: any) => unknown, of: Parameters<typeof signable>[0] = 'abandon_node'): Signable {
  const target = signable(of);
  change(target);
  return target;
}

test('honest actions pass', () => {
  const vectors = SIGNABLE_NAMES.map((name) => vectorOf(name, signable(name)));
  expect(vectors.filter(({ failing, unknown }) => failing.length + unknown.length > 0)).toEqual([]);
  expect(notKept('honest.json', vectors)).toEqual([]);
});

test('what is not known leaves checks open', () => {
  const service = ({ context }: any) => (context.readings[0].source = 'service');
  const vectors = [
    ['no wallet is connected', changed(({ context }) => delete context.connectedWallet, 'fund_task')],
    ['no blockchain node was asked', changed(({ context }) => (context.readings = []), 'fund_task')],
    [
      'the service alone tells of the escrow',
      changed((target) => {
        service(target);
        delete target.intent.tree;
      }),
    ],
    [
      'nobody tells of the escrow',
      changed(({ context, intent }) => {
        context.readings = [];
        delete intent.tree;
      }),
    ],
    ['the wallet’s node tells of the escrow', changed(({ intent }) => delete intent.tree)],
    ['a blockchain node does not tell of the job', changed(({ context }) => delete context.readings[0].node)],
    ['a clock is 45 s behind', changed(({ context }) => (context.nowMs -= 45_000), 'create_task')],
    [
      'all that is promised comes back before',
      changed(({ context }) => Object.assign(context.readings[0].node, { allocated: 5n, returned: 5n })),
    ],
    [
      'a clock is 61 s behind',
      changed(({ context }) => Object.assign(context, { readings: [], nowMs: context.nowMs - 61_000 })),
    ],
  ] as const;
  const kept = vectors.map(([name, target]) => vectorOf(name, target));
  expect(kept.map(({ unknown }) => unknown)).toEqual([[3], [12], [7], [7, 12], [], [12], [], [], [12]]);
  expect(notKept('open-questions.json', kept)).toEqual([]);
});

test('anything at all is refused', () => {
  const { action } = signable('abandon_node');
  const answers: [string, unknown][] = [
    ['null', null],
    ['a number', 1],
    ['a text', 'act_1'],
    ['a list', [action]],
    ['an object without anything', {}],
    ['members of the wrong type', Object.fromEntries(Object.keys(action).map((name) => [name, { [name]: '1' }]))],
    ['forty levels', { ...action, payload: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) }],
    [
      'structs that hold each other',
      {
        ...action,
        payload: {
          ...action.payload,
          types: { ...(action.payload['types'] as object), AbandonNode: [{ name: 'a', type: 'AbandonNode' }] },
        },
      },
    ],
    ['hidden characters', { ...action, kind: 'abandon\u202e_node\n\u0000<script>' }],
  ];
  const vectors = answers.map(([name, answer]) =>
    vectorOf(
      name,
      changed((target) => (target.action = answer)),
    ),
  );
  expect(vectors.filter(({ failing }) => failing.length === 0)).toEqual([]);
  expect(notKept('anything-at-all.json', vectors)).toEqual([]);
});

/** What becomes of a member; undefined: it is removed. */
const CHANGES: ((value: any) => unknown)[] = [
  () => undefined,
  (value) =>
    typeof value === 'string' ? `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}` : Number(value) + 1,
  () => null,
  (value) => (typeof value === 'string' ? value.toUpperCase() : `${value}`),
  () => '',
  () => true,
  (value) => (typeof value === 'string' ? ` ${value}` : -1),
  () => [],
  () => 1.5,
  () => '0x',
  (value) => (typeof value === 'string' ? `0${value}` : 0),
  () => ({}),
  () => '0',
  (value) => [value],
];

/** The path of every member of a value, those of objects within it included. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const within = Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return [path, ...within];
}

test('each member of each honest action is changed, and of what a blockchain node says', () => {
  let count = 0;
  let ofStructs = 0;
  const vectors = [...honest].flatMap(([of, whole]) => {
    const paths = [
      ...pathsOf(whole.action, ['action']),
      ...pathsOf(whole.context.readings[0], ['context', 'readings', 0]),
    ]
      // Two in three members are those of structs, which are compared with the pinned ones all alike.
      .filter((path) => !path.includes('types') || (ofStructs += 1) % 5 === 0);
    return paths.map((path) => {
      // `structuredClone` would make objects of another realm, which are no plain ones here.
      const target: any = JSON.parse(JSON.stringify(whole));
      const inner = path.slice(0, -1).reduce((value, name) => value[name], target);
      const last = path.at(-1)!;
      count += 1;
      const value = CHANGES[count % CHANGES.length]!(inner[last]);
      if (value === undefined && !Array.isArray(inner)) delete inner[last];
      else inner[last] = value ?? null;
      const to = value === undefined && !Array.isArray(inner) ? {} : { value: value ?? null };
      return { name: `${of}: ${path.join('.')}`, of, path, ...to, ...verdictOf(target) };
    });
  });
  expect(vectors.length).toBeGreaterThan(700);
  expect(notKept('changed-members.json', vectors)).toEqual([]);
});

test('hashes of typed data, and their match codes', () => {
  const vectors = [...honest].map(([name, { action }]) => {
    const { payload } = action as { payload: unknown };
    const hashes = hashTypedData(payload);
    return { name, payload, ...hashes, matchCode: matchCode(hashes.digest) };
  });
  expect(notKept('typed-data.json', vectors)).toEqual([]);
});

test('digests of requests', () => {
  const values: [string, unknown][] = [
    ['an empty object', {}],
    ['members in another order', { b: 1, a: [{ d: 1, c: null }], '': true }],
    ['names by UTF-16 code units', { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, ö: 7 }],
    ['signs that are escaped', ['\u20ac$\u000f\nA\'B"\\\\"/', '\b\f\t\r\u001f\u007f\u2028<>&']],
    ['numbers', [333333333.3333333, 1e30, 4.5, 0.002, 1e-27, -0, 1e21, 123456789012345680000, 5e-324, 1e-7, 0.000001]],
    ['more numbers', [1.7976931348623157e308, -1.5, 9007199254740992, 100, 1.0, 12345.678, -1e-10]],
    ['true, false, null', [true, false, null]],
  ];
  const vectors = values.map(([name, body]) => ({ name, body, canonical: jcs(body), digest: requestDigestOf(body) }));
  const none = { name: 'no body', digest: requestDigestOf(undefined) };
  expect(notKept('request-digests.json', [none, ...vectors])).toEqual([]);
});
