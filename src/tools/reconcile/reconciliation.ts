import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsdc } from '#libs/kernel';
import type { ChainTrees } from '../../modules/escrow/tree-ledger/tree-ledger-chain.js';
import { compareTree, type LedgerDifference } from '../../modules/escrow/tree-ledger/tree-ledger.js';
import type { IndexedTrees, IndexPage } from '../../modules/escrow/tree-ledger/tree-ledger-index.js';

/** Tasks that are read from the database and compared at one block together. */
const PAGE = 100;
/**
 * Attempts at a page whose block the chain has replaced, or whose trees the index does not show yet, and the pause
 * between attempts: the index catches up soon.
 */
const LOOKS = 10;
const PAUSE_MS = 1_000;

/** What was compared. Money in base units. */
export interface ReconciliationSummary {
  readonly tasks: number;
  readonly trees: number;
  readonly nodes: number;
  /** Held and refundable of all trees. */
  readonly compared: bigint;
  /** USDC sent to escrows without a call of their functions. */
  readonly surplus: bigint;
  readonly differences: number;
}

/** The comparison could not be made; the message is for the person at the terminal. */
export class NotComparableError extends Error {
  override readonly name = 'NotComparableError';
}

/**
 * Compares the books of every tree in the index with the storage of its contract, and prints each difference as it
 * finds it.
 */
export class Reconciliation {
  constructor(
    private readonly index: IndexedTrees,
    private readonly chain: ChainTrees,
    private readonly say: (line: string) => void,
    private readonly pauseMs = PAUSE_MS,
  ) {}

  /**
   * All tasks, page by page, each page at the block that it was indexed up to.
   * @throws NotComparableError when nothing is indexed or the index does not stand on the chain; ChainUnavailableError.
   */
  async run(): Promise<ReconciliationSummary> {
    let summary = { tasks: 0, trees: 0, nodes: 0, compared: 0n, surplus: 0n, differences: 0 };
    for (let after: string | undefined = ''; after !== undefined;) {
      const { page, ...counted } = await this.comparePage(after);
      summary = {
        tasks: summary.tasks + page.trees.length,
        trees: summary.trees + page.trees.filter(({ tree }) => tree.books !== null).length,
        nodes: summary.nodes + page.trees.reduce((sum, { tree }) => sum + tree.nodes.length, 0),
        compared: summary.compared + comparedIn(page),
        surplus: summary.surplus + counted.surplus,
        differences: summary.differences + counted.differences,
      };
      after = page.trees.length < PAGE ? undefined : page.trees.at(-1)?.tree.taskId;
    }
    return summary;
  }

  /** Reports on a page only after its block has proved, behind the last answer, to be still on the chain. */
  private async comparePage(after: string): Promise<{ page: IndexPage; surplus: bigint; differences: number }> {
    for (let look = 1; ; look += 1) {
      const page = await this.index.page(after, PAGE);
      const { tip } = page;
      if (tip === null) throw new NotComparableError('Nothing is indexed yet: let the service follow the chain first.');
      const isOnChain = await this.chain.has(tip);
      if (isOnChain && page.waiting === 0) {
        const stored = await Promise.all(page.trees.map((tree) => this.chain.read(tree, tip.number)));
        if (await this.chain.has(tip)) return { page, ...this.compare(page, stored) };
      }
      if (look === LOOKS && page.waiting > 0) {
        throw new NotComparableError(
          `The index has read facts of ${page.waiting} trees that it does not show yet: let it catch up first.`,
        );
      }
      if (look === LOOKS) {
        throw new NotComparableError(
          `The chain does not have the block ${tip.number} ${tip.hash} that the index stands on: is the indexer running?`,
        );
      }
      this.say(
        page.waiting > 0
          ? `${page.waiting} trees are not shown as the index has read them yet; looking again.`
          : `The chain has replaced block ${tip.number}, on which the index stood; looking again.`,
      );
      await sleep(this.pauseMs);
    }
  }

  private compare(page: IndexPage, stored: Awaited<ReturnType<ChainTrees['read']>>[]) {
    let surplus = 0n;
    let differences = 0;
    for (const [position, { tree }] of page.trees.entries()) {
      const onChain = stored[position];
      if (onChain === undefined) throw new TypeError('A tree of the page was not read');
      const compared = compareTree(tree, onChain);
      for (const difference of compared.differences) this.say(lineOf(difference));
      if (compared.surplus > 0n) this.say(`${tree.taskId} tree surplus: ${formatUsdc(compared.surplus)} USDC`);
      surplus += compared.surplus;
      differences += compared.differences.length;
    }
    return { surplus, differences };
  }
}

/** The last line of a run. */
export function summaryLine({ tasks, trees, nodes, compared, surplus, differences }: ReconciliationSummary): string {
  const verdict = differences === 0 ? 'equal' : `${differences} difference${differences === 1 ? '' : 's'}`;
  const extra = surplus === 0n ? '' : `, ${surplus} base units of surplus`;
  return `${verdict}: ${trees} trees of ${tasks} tasks, ${nodes} nodes, ${compared} base units in escrow compared${extra}`;
}

function lineOf({ taskId, where, what, index, chain }: LedgerDifference): string {
  return `${taskId} ${where === 'tree' ? 'tree' : `node ${where}`} ${what}: index ${index}, chain ${chain}`;
}

function comparedIn({ trees }: IndexPage): bigint {
  return trees.reduce((sum, { tree: { books } }) => sum + (books === null ? 0n : books.held + books.refundable), 0n);
}
