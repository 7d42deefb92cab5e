import ts from 'typescript';
import { programFiles } from './source-files.js';

/** The most dependencies that a constructor may take. A class that needs more does several things. */
const MOST = 6;

/**
 * Classes that take more: how many, and why they are one class all the same. A class that no longer does must be
 * removed.
 */
const LARGE: Readonly<Record<string, readonly [number, string]>> = {
  AccessTokens: [8, 'a token is looked up, cached, bound to a key and counted; each is a class of its own'],
  ApiKeyVerifier: [7, 'a key is looked up, cached, unsealed and its failures answered'],
  AuthenticationGuard: [8, 'each way to prove who is calling has a class, and so has each limit'],
  IndexerService: [8, 'one step of the index reads the chain, looks for a fork, writes and publishes'],
  MatchingService: [7, 'a match is made of what architecture.md draws'],
  OAuthConfiguration: [10, 'what oidc-provider asks for is one object'],
  OAuthProvider: [10, 'wires the parts of the authorization server'],
  OAuthServer: [11, 'wires the parts of the authorization server'],
  PreparedActionsService: [
    10,
    'one preparation goes through kind, policy, chain, nonce, link and store in one transaction',
  ],
  SigningPages: [7, 'a page is made of the facts of an action, its history and its links'],
  SubmissionsService: [7, 'a signature is verified, kept, followed by what its kind does, and shown'],
  TrustRuns: [7, 'a run has settings, a time, a thread, payouts and a status'],
  WithdrawEarnings: [7, 'a withdrawal has a node, its balance, a destination and what is written down first'],
};

/** Every class that the container makes, with the number of its constructor's parameters. */
function injected(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, text } of programFiles().filter(
    (file) => file.path.startsWith('src/') && file.text.includes('constructor('),
  )) {
    const visit = (node: ts.Node): void => {
      if (ts.isClassDeclaration(node) && (ts.getDecorators(node)?.length ?? 0) > 0) {
        const made = node.members.find((member) => ts.isConstructorDeclaration(member));
        if (made !== undefined) counts.set(node.name?.text ?? path, made.parameters.length);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  }
  return counts;
}

describe('constructors', () => {
  const counts = injected();

  it('are found', () => {
    expect(counts.size).toBeGreaterThan(150);
    expect(counts.get('NodeKindServices')).toBe(6);
  });

  it(`take at most ${MOST} dependencies, but those that are known`, () => {
    const large = [...counts].filter(([, count]) => count > MOST).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(Object.fromEntries(large)).toEqual(
      Object.fromEntries(Object.entries(LARGE).map(([name, [count]]) => [name, count])),
    );
  });
});
