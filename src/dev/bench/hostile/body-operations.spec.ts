import { readFileSync } from 'node:fs';
import { bodyOperations } from './body-operations.js';
import { acceptedBodies, hostileBodies, LARGEST_BODY } from './hostile-bodies.js';

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

  it.each([LARGEST_BODY, 4_096])(
    'have the members of the bodies of at most %i bytes that they are to accept',
    (largest) => {
      for (const [name, bodies] of Object.entries(acceptedBodies(largest))) {
        const { members = [] } = operations.find((operation) => operation.name === name) ?? {};
        for (const { text } of bodies) {
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(largest);
          expect(Buffer.byteLength(text)).toBeGreaterThan(largest / 16);
          expect(members).toEqual(expect.arrayContaining(Object.keys(JSON.parse(text) as object)));
        }
      }
    },
  );

  it('are sent bodies of the same kinds at any size, and none that is larger', () => {
    const kinds = (largest: number) => hostileBodies(['brief', 'budget.amount'], largest).map(({ what }) => what);
    expect(kinds(4_096)).toEqual(kinds(LARGEST_BODY));
    const sizes = hostileBodies(['brief'], 4_096).map(({ text }) => Buffer.byteLength(text));
    expect(Math.max(...sizes)).toBe(4_096);
  });
});
