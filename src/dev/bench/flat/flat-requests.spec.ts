import { readFileSync } from 'node:fs';
import { type ApiDescription, flatRequests, isStream } from './flat-requests.js';

const DESCRIPTION = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDescription;
const KNOWN = {
  task_id: ['task_1'],
  agent_id: ['agent_1'],
  delivery_id: ['dlv_1'],
  action_id: ['act_1'],
  event_id: ['evt_1'],
  endpoint_id: ['whe_1'],
  types: ['quote.submitted'],
  mine: ['true'],
  query: ['a b'],
  explain: ['true'],
};

describe('what the bench of flatness asks', () => {
  const requests = flatRequests(DESCRIPTION, KNOWN);

  it('is every operation that reads, but for the one that streams', () => {
    const all = Object.values(DESCRIPTION.paths).flatMap(({ get }) => get ?? []);
    expect(all.filter(isStream).map(({ operationId }) => operationId)).toEqual(['streamEvents']);
    const reads = all.filter((one) => !isStream(one)).map(({ operationId }) => operationId);
    expect(new Set(requests.map(({ operation }) => operation))).toEqual(new Set(reads));
  });

  it('is every combination of filters, each also left away', () => {
    const tasks = requests.filter(({ operation }) => operation === 'listTasks');
    expect(tasks).toHaveLength((12 + 1) * (2 + 1));
    expect(new Set(tasks.map(({ path }) => path)).size).toBe(tasks.length);
    expect(tasks.map(({ path }) => path)).toContain('/v1/tasks?limit=20&status=disputed&role=worker');
  });

  it('has every place of a path filled, and texts encoded', () => {
    expect(requests.filter(({ path }) => /[{}]/.test(path))).toEqual([]);
    expect(requests.map(({ path }) => path)).toContain('/v1/agents?limit=20&query=a%20b');
  });

  it('is nothing at all where a parameter has no known value', () => {
    expect(() => flatRequests(DESCRIPTION, { ...KNOWN, query: [] })).toThrow('query');
  });
});
