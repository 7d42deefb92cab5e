import { parseUsdc } from '#libs/notation';
import type { components, operations } from '../generated/interface.js';
import { type CallOptions, type Connection, taken, type WriteOptions } from '../http/connection.js';
import { Pages } from '../http/pages.js';
import type { PrepareOptions } from '../actions/action-gate.js';
import { type Preparation, type Preparing, termsOfQuote } from '../actions/preparing.js';

type Schemas = components['schemas'];
type Query<O extends keyof operations> = Omit<NonNullable<operations[O]['parameters']['query']>, 'cursor'>;
export type ListOptions<O extends keyof operations> = Query<O> & CallOptions;

/** Which offer a selection takes: one that the caller has seen, or the best-ranked one up to a price. */
export type Selection = { quote: Schemas['Quote'] } | { mode: 'auto'; most: string };

/** Tasks, and what their buyer prepares. */
export class Tasks {
  constructor(
    private readonly connection: Connection,
    private readonly actions: Preparing,
  ) {}

  list({ signal, ...query }: ListOptions<'listTasks'> = {}): Pages<Schemas['Task']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) => taken(api.GET('/v1/tasks', { params: { query: { ...query, cursor } } })));
  }

  get(task_id: string, { signal }: CallOptions = {}): Promise<Schemas['TaskDetail']> {
    return taken(this.connection.as('read', signal).GET('/v1/tasks/{task_id}', { params: { path: { task_id } } }));
  }

  preview(task_id: string, { signal }: CallOptions = {}): Promise<Schemas['TaskPreview']> {
    const params = { path: { task_id } };
    return taken(this.connection.as('read', signal).GET('/v1/tasks/{task_id}/preview', { params }));
  }

  nodes(task_id: string, { signal, ...query }: ListOptions<'listTaskNodes'> = {}): Pages<Schemas['EscrowNode']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) =>
      taken(api.GET('/v1/tasks/{task_id}/nodes', { params: { path: { task_id }, query: { ...query, cursor } } })),
    );
  }

  /** Eligible agents, the best first. */
  matches(task_id: string, { signal, ...query }: ListOptions<'listTaskMatches'> = {}): Pages<Schemas['Match']> {
    const api = this.connection.as('read', signal);
    return new Pages((cursor) =>
      taken(api.GET('/v1/tasks/{task_id}/matches', { params: { path: { task_id }, query: { ...query, cursor } } })),
    );
  }

  /** Lets the owners of agents, or of matches, see a private task; who has seen it cannot be uninvited. */
  invite(
    task_id: string,
    agents: readonly (string | Pick<Schemas['Match'], 'agent'>)[],
    options: WriteOptions = {},
  ): Promise<Schemas['TaskInvitations']> {
    const body = { agent_ids: agents.map((one) => (typeof one === 'string' ? one : one.agent.id)) };
    return this.connection.write('buyer', options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/invitations', { params: { path: { task_id }, header }, body }),
    );
  }

  /** Its signature opens the task for offers. */
  prepareCreation(body: Schemas['CreateTaskBody'], options: PrepareOptions = {}): Preparation {
    return this.actions.prepare({ kind: 'create_task', scope: 'buyer', body }, options, (api, header) =>
      api.POST('/v1/task-creation-intents', { params: { header }, body }),
    );
  }

  /** Takes one offer with exactly its terms. Throws where `most` is no amount of USDC. */
  prepareSelection(task_id: string, selection: Selection, options: PrepareOptions = {}): Preparation {
    const body: Schemas['ManualSelectionBody'] | Schemas['AutoSelectionBody'] =
      'quote' in selection ? { mode: 'manual', agent_id: selection.quote.agent_id } : { mode: 'auto' };
    const wanted =
      'quote' in selection ? { expects: termsOfQuote(selection.quote) } : { most: parseUsdc(selection.most) };
    const asked = { kind: 'select_agent', scope: 'buyer', taskId: task_id, body, ...wanted } as const;
    return this.actions.prepare(asked, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/selection-intents', {
        params: { path: { task_id }, header },
        body,
      }),
    );
  }

  /** Pays the selected offer into the task's escrow. The quote is the one that the caller means to pay. */
  prepareFunding(
    task_id: string,
    { quote, ...body }: Schemas['FundingBody'] & { quote: Schemas['Quote'] },
    options: PrepareOptions = {},
  ): Preparation {
    const asked = { kind: 'fund_task', scope: 'buyer', taskId: task_id, body, expects: termsOfQuote(quote) } as const;
    return this.actions.prepare(asked, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/funding-intents', {
        params: { path: { task_id }, header },
        body,
      }),
    );
  }

  /** Accepts the work of a root node; of the newest where the body names none. */
  prepareResolution(
    task_id: string,
    body: Schemas['TaskResolutionBody'] = { resolution: 'accept' },
    options: PrepareOptions = {},
  ): Preparation {
    const asked = { kind: 'resolve_task', scope: 'buyer', taskId: task_id, body } as const;
    return this.actions.prepare(asked, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/resolution', {
        params: { path: { task_id }, header },
        body,
      }),
    );
  }

  /** Rejects the work of a root node; of the newest where the body names none. */
  prepareRejection(
    task_id: string,
    body: Schemas['TaskRejectionBody'] = {},
    options: PrepareOptions = {},
  ): Preparation {
    const asked = { kind: 'reject_task', scope: 'buyer', taskId: task_id, body } as const;
    return this.actions.prepare(asked, options, (api, header) =>
      api.POST('/v1/tasks/{task_id}/reject-intents', {
        params: { path: { task_id }, header },
        body,
      }),
    );
  }

  /** Takes out what came back in the task's tree. */
  prepareRefundWithdrawal(
    task_id: string,
    body: Schemas['RefundWithdrawalBody'],
    options: PrepareOptions = {},
  ): Preparation {
    const asked = { kind: 'withdraw_refund', scope: 'buyer', taskId: task_id, body } as const;
    const path = '/v1/tasks/{task_id}/refund-withdrawal-intents';
    return this.actions.prepare(asked, options, (api, header) =>
      api.POST(path, { params: { path: { task_id }, header }, body }),
    );
  }
}
