import { actionIdHash, NodeState, type TreeNode } from '#libs/contracts';
import type { QuoteStatus } from './quote/quote.entity.js';
import { isUnsigned, mayBecome } from './quote/quote.lifecycle.js';
import { quoteStatusOnChain } from './quote.projection.js';

type Chain = Parameters<typeof quoteStatusOnChain>[1];
type Offer = Parameters<typeof quoteStatusOnChain>[0];

const WORKER = `0x${'11'.repeat(20)}` as const;
const RIVAL = `0x${'22'.repeat(20)}` as const;
const AT = { transactionHash: '0x', blockNumber: 1, logIndex: 0, at: 1 } as const;
const SILENT: Chain = { nodes: [], consumedActions: [], invalidatedNonces: [] };

const offer = (own: Partial<Offer> = {}): Offer => ({
  status: 'submitted',
  nodeNumber: 3,
  parentNodeNumber: 0,
  workerWallet: WORKER,
  actionId: 'act_own',
  nonce: 259n,
  signature: '0x11',
  ...own,
});

const node = (own: Partial<TreeNode>): TreeNode =>
  ({ number: 3, parentNumber: 0, worker: WORKER, state: NodeState.Selected, fundedAt: null, ...own }) as TreeNode;
const funded = (own: Partial<TreeNode>): TreeNode => node({ state: NodeState.Funded, fundedAt: AT, ...own });
const withNodes = (...nodes: TreeNode[]): Chain => ({ ...SILENT, nodes });

const consumed = (own: { actionId?: string; signer?: `0x${string}`; nonce?: bigint }): Chain => ({
  ...SILENT,
  consumedActions: [
    {
      actionIdHash: actionIdHash(own.actionId ?? 'act_other'),
      signer: own.signer ?? WORKER,
      nonce: own.nonce ?? 259n,
      requestDigest: '0x',
      ...AT,
    },
  ],
});
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
    ['is accepted when its node is opened', {}, withNodes(node({})), 'accepted'],
    ['stays accepted when its node has ended', {}, withNodes(node({ state: NodeState.Refunded })), 'accepted'],
    ['is not accepted by a node of another worker', {}, withNodes(node({ worker: RIVAL })), 'submitted'],
    ['is not accepted by another node', {}, withNodes(node({ number: 4 })), 'submitted'],
    ['stands while another root node waits for its money', {}, withNodes(node({ number: 4 })), 'submitted'],
    ['has lost when another root node is paid', {}, withNodes(funded({ number: 4 })), 'declined'],
    [
      'has lost when the number was paid for another worker',
      {},
      withNodes(funded({ worker: RIVAL, number: 5 })),
      'declined',
    ],
    [
      'has lost when another root node is released',
      {},
      withNodes(funded({ number: 4, state: NodeState.Settled })),
      'declined',
    ],
    [
      'stands again when that money went back',
      {},
      withNodes(funded({ number: 4, state: NodeState.Refunded })),
      'submitted',
    ],
    [
      'stands again when that work was abandoned',
      {},
      withNodes(funded({ number: 4, state: NodeState.Abandoned })),
      'submitted',
    ],
    ['does not lose against a child', {}, withNodes(funded({ number: 4, parentNumber: 1 })), 'submitted'],
    ['for a child does not lose', { parentNodeNumber: 4 }, withNodes(funded({ number: 4 })), 'submitted'],
    ['is withdrawn when its nonce is cancelled', {}, cancelled(1n, 0b1000n), 'withdrawn'],
    ['is not withdrawn by another bit', {}, cancelled(1n, 0b0111n), 'submitted'],
    ['is not withdrawn by another word', {}, cancelled(0n, 0b1000n), 'submitted'],
    ['is not withdrawn by another signer', {}, cancelled(1n, 0b1000n, RIVAL), 'submitted'],
    ['is withdrawn when its nonce went to another action', {}, consumed({}), 'withdrawn'],
    ['is not withdrawn by its own action', {}, consumed({ actionId: 'act_own' }), 'submitted'],
    ['is not withdrawn by another nonce', {}, consumed({ nonce: 3n }), 'submitted'],
    ['is not withdrawn by another signer with the nonce', {}, consumed({ signer: RIVAL }), 'submitted'],
    ['is accepted although its nonce is cancelled later', {}, { ...cancelled(1n, 8n), nodes: [node({})] }, 'accepted'],
    ['that is a draft stays one', { status: 'draft', signature: null }, withNodes(funded({ number: 4 })), 'draft'],
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
      withNodes(funded({})),
      withNodes(funded({ number: 4 })),
      withNodes(funded({ number: 4, state: NodeState.Refunded })),
      consumed({}),
      cancelled(1n, 8n),
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
