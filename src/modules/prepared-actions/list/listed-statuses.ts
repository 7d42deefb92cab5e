import { Injectable } from '@nestjs/common';
import { readNodeNonce, type TaskStatus, type WireNodeState } from '#libs/contracts';
import { pathText } from '#libs/kernel';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import { actionStatusOf, executionOf, type IndexedFact, type Standing } from '../action/action-status.js';
import { type ActionFactRow, factsByPlace, factValues } from '../lifecycle/action-facts.js';
import { ACTION_FACTS } from '../lifecycle/action-facts.sql.js';
import { ActionHistory, type JudgedInput } from '../lifecycle/action-history.js';
import type { ListedAction } from './listed-action.js';
import { LISTED_STANDINGS } from './listed-standings.sql.js';

/**
 * Transactions about which one page asks the chain, the newest. An account may hand in any hash for any of its actions; so
 * many calls are what the reads of single actions may cause too.
 */
export const ASKED_AT_MOST = 5;

/** A standing, and the block in which the action was executed; null for none. */
export interface ListedStanding extends Standing {
  readonly block: number | null;
}

interface StandingRow {
  task_status: TaskStatus | null;
  node_state: WireNodeState | null;
  node_version: number | null;
}

const NOTHING = { taskId: null, nodeId: null, path: null };

/**
 * The statuses of the actions of a page, by the rules of a single one (`actionStatusOf`) and with a few statements for all of
 * them. Nothing is stored, so they follow reorganisations as single ones do.
 */
@Injectable()
export class ListedStatuses {
  constructor(
    private readonly reads: ReadConnections,
    private readonly history: ActionHistory,
  ) {}

  /**
   * One for each action, in their order, with the block of its execution. A transaction that the chain is not asked about, as one of too many, is
   * `unknown`.
   */
  async of(actions: readonly ListedAction[]): Promise<ListedStanding[]> {
    if (actions.length === 0) return [];
    const [tip, standings] = await Promise.all([this.history.tip(), this.standingsOf(actions)]);
    // Read last: a state that an executed action has changed must never be seen without the fact that changed it.
    const facts = await this.factsOf(actions);
    const inputs = actions.map((action, place) => {
      const standing = standings[place] ?? { task_status: null, node_state: null, node_version: null };
      return this.history.inputFrom(action, {
        tip,
        taskStatus: standing.task_status,
        nodeState: standing.node_state,
        nodeVersion: standing.node_version,
        facts: facts[place] ?? [],
        transaction: action.transactionHash === null ? null : { kind: 'unreachable' },
      });
    });
    const asked = new Set(inputs.filter(hangsOnTransaction).slice(0, ASKED_AT_MOST));
    return Promise.all(
      inputs.map(async (input) => {
        const standing = asked.has(input) ? await this.ask(input) : unasked(input);
        return { ...standing, block: executionOf(input)?.blockNumber ?? null };
      }),
    );
  }

  private async ask(input: JudgedInput): Promise<Standing> {
    const { transactionHash: hash } = input.action;
    const transaction = hash === null ? null : await this.history.outcomeOf(input.action, hash);
    return this.history.judge({ ...input, transaction });
  }

  /** Looks up nothing of what is marked as kept, which is most of a long history: its execution alone decides. */
  private standingsOf(actions: readonly ListedAction[]): Promise<StandingRow[]> {
    const keys = actions.map(({ isKept, taskId, nodeId, nonce }) => {
      const named = isKept ? null : readNodeNonce(nonce);
      return isKept ? NOTHING : { taskId, nodeId, path: named === null ? null : pathText(named.path) };
    });
    const values = (['taskId', 'nodeId', 'path'] as const).map((name) => keys.map((key) => key[name]));
    return this.reads.queryParsed<StandingRow>(LISTED_STANDINGS.name, LISTED_STANDINGS.text, values);
  }

  /** The facts of each action, in its place. */
  private async factsOf(actions: readonly ListedAction[]): Promise<(readonly IndexedFact[])[]> {
    const values = factValues(actions.map((action) => this.history.soughtFacts(action)));
    const rows = await this.reads.queryParsed<ActionFactRow>(ACTION_FACTS.name, ACTION_FACTS.text, values);
    return factsByPlace(rows, actions.length);
  }
}

/** True where nothing but the chain knows what has become of the action. */
function hangsOnTransaction(input: JudgedInput): boolean {
  return input.transaction !== null && executionOf(input) === undefined && actionStatusOf(input).status === 'unknown';
}

/**
 * The standing without the chain. Where the status does not hang on the transaction, its hash is told as one that the chain
 * does not know: for two minutes, because it may be anything.
 */
function unasked(input: JudgedInput): Standing {
  if (input.transaction === null || hangsOnTransaction(input)) return actionStatusOf(input);
  return actionStatusOf({ ...input, transaction: { kind: 'unseen' } });
}
