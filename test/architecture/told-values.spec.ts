import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCreateAddress } from 'ethers';
import { deploymentPlan, MIN_WORK_SECONDS, nodeNonce, readNodeNonce } from '../../libs/contracts/src/index.js';
import { nodeIdOf, parseUsdc } from '../../libs/kernel/src/index.js';
import { KINDS } from '../../libs/prepared-action/src/typed-data/action-kinds.js';
import { allowedActions, nodeOutlook } from '../../src/modules/escrow/node/node-outlook.js';
import { MAX_REVISIONS } from '../../src/modules/quotes/quote/quote-offer.js';
import { MAX_WORK_SECONDS } from '../../src/modules/quotes/quote/quote-validity.js';
import { ROOT } from './source-files.js';

/*
 * Values that openapi.json and the README tell and that a reader holds against an answer: they are what the service really
 * says, or its readers learn to overlook a difference.
 */

const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
const { PreparedAction, Quote, QuoteBody, EscrowNode }: Record<string, { properties: Record<string, any> }> =
  document.components.schemas;

it('an action is of one of all kinds that there are, as its document says', () => {
  const [, listed = ''] = /^Values: ([^.]+)\./.exec(PreparedAction!.properties['kind'].description) ?? [];
  expect(listed.split(', ')).toEqual(Object.keys(KINDS));
});

it('the nonce of the example is that of its node, as every client computes it', () => {
  const { nonce, node_id: node, task_id: task } = PreparedAction!.properties;
  const read = readNodeNonce(BigInt(nonce.example));
  expect(read).not.toBeNull();
  expect(nodeIdOf(task.example, read!.path)).toBe(node.example);
  expect(nodeNonce(read!.path, read!.version)).toBe(BigInt(nonce.example));
});

it('a quote is told with the ranges of the request that made it', () => {
  const range = ({ minimum, maximum }: { minimum: number; maximum: number }) => [minimum, maximum];
  for (const quote of [Quote!, QuoteBody!]) {
    expect(range(quote.properties['work_seconds'])).toEqual([MIN_WORK_SECONDS, MAX_WORK_SECONDS]);
    expect(range(quote.properties['max_revisions'])).toEqual([0, MAX_REVISIONS]);
  }
  expect(range(EscrowNode!.properties['max_revisions'])).toEqual([0, MAX_REVISIONS]);
});

it('the example of a node is told as its hirer sees such a node', () => {
  const response = document.paths['/v1/tasks/{task_id}/nodes'].get.responses['200'];
  const [node] = response.content['application/json'].example.data;
  const seconds = (time: string) => Date.parse(time) / 1000;
  const pool = parseUsdc(node.amount.amount);
  const facts = {
    state: node.state,
    clock: seconds(node.accept_deadline),
    deliverBy: seconds(node.delivery_deadline),
    hasArbiter: true,
    pool,
    floor: parseUsdc(node.floor.amount),
    allocated: pool - parseUsdc(node.unallocated.amount),
    returned: 0n,
    withdrawn: 0n,
    payOut: node.pay_out,
    revisions: node.revisions,
    maxRevisions: node.max_revisions,
    isRoot: node.parent_node_id === null,
    hirerFunded: node.backing === 'hirer_funded',
    backers: 'open',
    level: 2,
  } as const;
  // The work came in time, so its answer is awaited before the accept window after the delivery deadline is over.
  const now = facts.deliverBy - 100;
  expect(nodeOutlook(facts, now)).toEqual({
    effectiveState: node.effective_state,
    dueAt: seconds(node.due_at),
    next: node.next,
  });
  expect(allowedActions(facts, { isHirer: true, isWorker: false }, now)).toEqual(node.allowed_actions);
  expect(facts.clock).toBeLessThanOrEqual(facts.deliverBy + node.accept_window_seconds);
  expect(node.id).toBe(`${node.parent_node_id}-2`);
});

it('the README shows the escrow factory that a local market has', () => {
  // Anvil's first account deploys the token by its first transaction, and the escrow by its second.
  const usdc = getCreateAddress({ from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', nonce: 0 });
  const [, shown] = /escrow factory (0x\w{40})/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(shown).toBe(deploymentPlan(usdc).factory);
});
