import { generateDocuments } from '../../src/tools/openapi/generated-documents.js';
import { ERROR_CODES, type ErrorCode } from '../../src/platform/http/error-codes.js';

let table: Record<string, { status: number; meaning: string }>;
let examples: { code: string; status: number }[];

beforeAll(async () => {
  const document: any = JSON.parse((await generateDocuments())['openapi.json']);
  table = document.components.schemas.Error['x-error-codes'];
  examples = Object.values<any>(document.paths)
    .flatMap((path) => Object.values<any>(path))
    .flatMap(({ responses }) => Object.entries<any>(responses))
    .flatMap(([status, response]) =>
      Object.keys(response.content?.['application/json']?.examples ?? {}).map((code) => ({
        code,
        status: Number(status),
      })),
    );
});

it('each code is described under its own status', () => {
  const wrong = examples.filter(({ code, status }) => ERROR_CODES[code as ErrorCode]?.status !== status);
  expect(wrong).toEqual([]);
});

it('the document lists every code with its status and meaning', () => {
  const expected = Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [code, { status, meaning }]);
  expect(Object.entries(table)).toEqual(expected);
});

it('codes are lower snake case, and their meanings are sentences', () => {
  for (const [code, { meaning }] of Object.entries(ERROR_CODES)) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  }
});
