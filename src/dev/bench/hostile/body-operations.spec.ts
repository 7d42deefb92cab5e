import { readFileSync } from 'node:fs';
import { bodyOperations } from './body-operations.js';
import { ACCEPTED_BODIES } from './hostile-bodies.js';

const operations = bodyOperations(JSON.parse(readFileSync('openapi.json', 'utf8')));

describe('the operations that hostile bodies are sent to', () => {
  it('are those of the document that take a JSON body, with the scope and the members of each', () => {
    expect(operations.length).toBeGreaterThan(10);
    expect(operations.find(({ name }) => name === 'POST /v1/task-creation-intents')).toMatchObject({
      method: 'POST',
      path: '/v1/task-creation-intents',
      scope: 'buyer',
      members: expect.arrayContaining(['brief', 'budget', 'budget.amount', 'budget.currency', 'criteria']),
    });
    expect(operations.find(({ name }) => name.endsWith('/selection-intents'))?.members).toContain('mode');
    expect(operations.filter(({ members }) => members.length === 0)).toEqual([]);
  });

  it('have the members of the bodies that they are to accept', () => {
    for (const [name, bodies] of Object.entries(ACCEPTED_BODIES)) {
      const { members = [] } = operations.find((operation) => operation.name === name) ?? {};
      for (const { text } of bodies) {
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
        expect(members).toEqual(expect.arrayContaining(Object.keys(JSON.parse(text) as object)));
      }
    }
  });
});
