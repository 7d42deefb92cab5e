import { NodeState, nodeNonce, type TreeNode } from '#libs/contracts';
import { childPath } from '#libs/kernel';
import type { QuoteStatus } from './quote/quote.entity.js';
import { isUnsigned, mayBecome } from './quote/quote.lifecycle.js';
import { quoteStatusOnChain } from './quote.projection.js';

type Chain = Parameters<typeof quoteStatusOnChain>[1];
type Offer = Parameters<typeof quoteStatusOnChain>[0];

const WORKER = `0x${'11'.repeat(20)}` as const;
const RIVAL = `0x${'22'.repeat(20)}` as const;
const SILENT: Chain = { nodes: [], invalidatedNonces: [] };
const CHILD = childPath(4n, 3);

const offer = (own: Partial<Offer> = {}): Offer => ({
  status: 'submitted',
  nodePath: 3n,
  workerWallet: WORKER,
  nonce: nodeNonce(own.nodePath ?? 3n, 0),
  signature: '0x11',
  ...own,
});

const node = (own: Partial<TreeNode>): TreeNode =>
  ({ path: 3n, worker: WORKER, state: NodeState.Funded, ...own }) as TreeNode;
const withNodes = (...nodes: TreeNode[]): Chain => ({ ...SILENT, nodes });

const cancelled = (word: bigint, mask: bigint, signer: `0x${string}` = WORKER): Chain => ({
  ...SILENT,
  invalidatedNonces: [{ signer, word, mask }],
});

describe('quoteStatusOnChain', () => {
  it.each<[string, Partial<Offer>, Chain, QuoteStatus]>([
    ['stands while the chain says nothing', {}, SILENT, 'submitted'],
    ['stands again when its node is gone', { status: 'accepted' }, SILENT, 'submitted'],
    ['stands again when the winner is gone', { status: 'declined' }, SILENT, 'submitted'],
    ['stands again when its cancellation is gone', { status: 'withdrawn' }, SILENT, 'submitted'],
    ['is accepted when its node is funded', {}, withNodes(node({})), 'accepted'],
    ['stays accepted when its node has ended', {}, withNodes(node({ state: NodeState.Refunded })), 'accepted'],
    ['has lost when its node is funded with another worker', {}, withNodes(node({ worker: RIVAL })), 'declined'],
    [
      'for a child has lost when its node is funded with another worker',
      { nodePath: CHILD },
      withNodes(node({ path: CHILD, worker: RIVAL })),
      'declined',
    ],
    ['has lost when another root node is paid', {}, withNodes(node({ path: 4n })), 'declined'],
    [
      'has lost when another root node is released',
      {},
      withNodes(node({ path: 4n, state: NodeState.Settled })),
      'declined',
    ],
    [
      'stands again when that money went back',
      {},
      withNodes(node({ path: 4n, state: NodeState.Refunded })),
      'submitted',
    ],
    [
      'stands again when that work was abandoned',
      {},
      withNodes(node({ path: 4n, state: NodeState.Abandoned })),
      'submitted',
    ],
    ['does not lose against a child', {}, withNodes(node({ path: CHILD })), 'submitted'],
    ['for a child does not lose', { nodePath: CHILD }, withNodes(node({ path: 4n })), 'submitted'],
    ['is withdrawn when its nonce is cancelled', {}, cancelled(3n, 0b0001n), 'withdrawn'],
    ['is not withdrawn by another bit', {}, cancelled(3n, 0b1110n), 'submitted'],
    ['is not withdrawn by another word', {}, cancelled(4n, 0b0001n), 'submitted'],
    ['is not withdrawn by another signer', {}, cancelled(3n, 0b0001n, RIVAL), 'submitted'],
    ['is accepted although its nonce is cancelled later', {}, { ...cancelled(3n, 1n), nodes: [node({})] }, 'accepted'],
    ['that is a draft stays one', { status: 'draft', signature: null }, withNodes(node({ path: 4n })), 'draft'],
    ['without signature waits for it again', { status: 'accepted', signature: null }, SILENT, 'pending_signature'],
    [
      'that is unsigned is accepted all the same',
      { status: 'draft', signature: null },
      withNodes(node({})),
      'accepted',
    ],
    ['that has expired does not rise', { status: 'expired' }, SILENT, 'expired'],
  ])('an offer %s', (_name, own, chain, status) => {
    expect(quoteStatusOnChain(offer(own), chain)).toBe(status);
  });

  it('never moves an offer in a way that the table of its life does not have', () => {
    const chains = [
      SILENT,
      withNodes(node({})),
      withNodes(node({ worker: RIVAL })),
      withNodes(node({ path: 4n })),
      withNodes(node({ path: 4n, state: NodeState.Refunded })),
      cancelled(3n, 1n),
    ];
    const statuses: QuoteStatus[] = [
      'draft',
      'pending_signature',
      'submitted',
      'accepted',
      'declined',
      'withdrawn',
      'expired',
    ];
    const moves = statuses.flatMap((status) =>
      chains.flatMap((chain) =>
        [isUnsigned(status) ? null : '0x11', null].map((signature) => {
          const to = quoteStatusOnChain(offer({ status, signature }), chain);
          return { status, to, isAllowed: status === to || mayBecome(status, to, 'chain') };
        }),
      ),
    );
    expect(moves.filter(({ isAllowed }) => !isAllowed)).toEqual([]);
    expect(new Set(moves.map(({ status, to }) => `${status} ${to}`)).size).toBeGreaterThan(15);
  });
});
