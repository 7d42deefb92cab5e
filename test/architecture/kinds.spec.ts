import { KINDS as RULES } from '../../libs/prepared-action/src/typed-data/action-kinds.js';
import { KINDS } from '../../src/modules/prepared-actions/registry/kind-registry.js';
import { programFiles } from './source-files.js';

const kinds = Object.keys(KINDS);
const files = programFiles();

/** A file that names more kinds than this holds a list of kinds. */
const MOST_NAMED = 3;

/**
 * Files that name more kinds, each with what keeps its list complete. No file may be added in which a new kind could be
 * forgotten.
 */
const NAME_MANY: Readonly<Record<string, string>> = {
  'libs/prepared-action/src/typed-data/action-kinds.ts':
    'the list of the client; held equal to that of the service by the types',
  'src/modules/prepared-actions/registry/kind-registry.ts': 'the list of the service',
  'libs/prepared-action/src/description/action-sentences.ts': 'texts, which describe-*.ts takes by their names',
  'libs/prepared-action/src/description/describe-hiring.ts':
    'a table of kinds, which describe-action.ts makes complete by its types',
  'libs/prepared-action/src/description/describe-node-work.ts':
    'a table of kinds, which describe-action.ts makes complete by its types',
  'libs/prepared-action/src/checks/request-expectations.ts': 'a switch over every kind that ends in no default',
  'libs/sdk/src/resources/task-operations.ts': 'a call for each operation, held complete by interface-types.spec.ts',
  'libs/sdk/src/resources/node-operations.ts': 'a call for each operation, held complete by interface-types.spec.ts',
  'libs/sdk/src/testing/actions/action-plans.ts': 'a record by ActionKind',
  'libs/sdk/src/testing/operations/call.ts':
    'what is allowed in each state, whose kinds action-plans.ts refuses otherwise',
  'src/modules/signing/pages/approval-copy.ts': 'a record by ActionKind',
  'src/web/approval-fixtures/kinds.ts': 'a record by ActionKind',
  'src/modules/mcp/tools/tool-table.ts': 'the tools; tool-catalogue.spec.ts finds one for every kind',
  // These files name events of a node, some of which are called like the kind whose action causes them.
  'libs/contracts/src/lifecycle/lifecycle-calls.ts': 'the contract model, by its events',
  'libs/contracts/src/lifecycle/lifecycle-model.ts': 'the contract model, by its events',
  'libs/contracts/src/lifecycle/node-state-machine.ts': 'the state machine of a node',
  'src/modules/escrow/node/node-outlook.ts': 'who may cause which event of a node',
  'src/modules/escrow/task-detail.service.ts': 'what a task allows its viewer, by its state',
  'src/modules/prepared-actions/checks/node-refusals.ts': 'a record by PreparedEvent',
};

/** The scopes of the operations that prepare each kind. */
function scopesOfOperations(): Map<string, Set<string>> {
  const scopes = new Map<string, Set<string>>();
  for (const { text } of files.filter(({ path }) => /\/prepared-actions\/intents\/.*\.controller\.ts$/.test(path))) {
    for (const [, scope = '', handler = ''] of text.matchAll(/@RequireScope\('(\w+)'\)([^]*?)\n {2}\}\n/g)) {
      // The controller of deliveries calls a service that shows the resulting delivery, and has no `prepare('deliver')`
      // of its own.
      const [, kind = 'deliver'] = /\.prepare\('(\w+)'/.exec(handler) ?? [];
      scopes.set(kind, (scopes.get(kind) ?? new Set()).add(scope));
    }
  }
  return scopes;
}

describe('the kinds of prepared actions', () => {
  it('are those that the client has rules for', () => {
    expect(kinds.toSorted()).toEqual(Object.keys(RULES).toSorted());
  });

  it('stand in one list: no other file names many of them and could forget one', () => {
    const naming = files
      .filter(({ path }) => !path.startsWith('src/dev/'))
      .filter(
        ({ text }) =>
          kinds.filter((kind) => new RegExp(`(?:'${kind}'|^\\s*${kind}:)`, 'm').test(text)).length > MOST_NAMED,
      )
      .map(({ path }) => path);
    expect(naming.toSorted()).toEqual(Object.keys(NAME_MANY).toSorted());
  });

  it('say themselves which scopes their operations need', () => {
    const needed = scopesOfOperations();
    expect([...needed.keys()].toSorted()).toEqual(kinds.toSorted());
    for (const [kind, implementation] of Object.entries(KINDS)) {
      // `scopes` uses none of the constructor's dependencies, so the kind can be made without them.
      const { scopes } = new (implementation as new () => { scopes: readonly string[] })();
      expect([kind, [...(needed.get(kind) ?? [])].toSorted()]).toEqual([kind, scopes.toSorted()]);
    }
  });

  it('are acted on by a row each where they work on a funded node', () => {
    const rows = files.filter(({ path, text }) => path.includes('/kinds/') && /= nodeKind</.test(text));
    const events = rows.map(({ text }) => /event: '(\w+)'/.exec(text)?.[1] ?? '');
    expect(new Set(events)).toEqual(
      new Set(['claim_non_delivery', 'deliver', 'dispute_node', 'reject_task', 'resolve_task']),
    );
  });

  it('leave the reading of the nonce bitmap to the client of the chain', () => {
    const readers = files.filter(({ path, text }) => path.startsWith('src/') && /decodeNonceBitmapResult/.test(text));
    expect(readers.map(({ path }) => path)).toEqual(['src/platform/chain/chain-client.ts']);
  });
});
