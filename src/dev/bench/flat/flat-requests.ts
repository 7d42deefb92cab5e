/** An OpenAPI description, reduced to what says which requests can be made. */
export interface ApiDescription {
  paths: Record<string, { get?: ApiRead }>;
}

interface ApiRead {
  operationId: string;
  parameters?: ApiParameter[];
  'x-required-scope'?: string;
  responses?: Record<string, { content?: Record<string, unknown> }>;
}

interface ApiParameter {
  name?: string;
  in?: string;
  schema?: { enum?: string[] };
}

/** True for an answer without an end, whose cost is not that of one request; `--only events` measures it. */
export function isStream({ responses }: ApiRead): boolean {
  return responses?.['200']?.content?.['text/event-stream'] !== undefined;
}

/** One request: an operation with one choice of its filters. */
export interface FlatRequest {
  operation: string;
  /** Scope of the API key to use; `session`: the request is sent by a signed-in browser. */
  scope: string;
  /** HTTP method; absent: GET. */
  method?: string;
  /** Path and query, without a cursor. */
  path: string;
  body?: string;
  /** `Content-Type` of the body. */
  type?: string;
  /**
   * A request to send first, each time and uncounted, when this one needs an answer that can be used only once;
   * `follows` makes the rest of this request from that answer.
   */
  after?: {
    request: FlatRequest;
    follows: (answer: Readonly<Record<string, unknown>>) => { path: string; body?: string };
  };
  /** The filters that are set, as text for the printed table. */
  filters: string;
  isList: boolean;
}

/** Values for path parameters and filters whose possible values the description does not list. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

const PAGE = 20;
/** Where a page begins and how long it is: no filters. */
const POSITIONS: ReadonlySet<string | undefined> = new Set(['cursor', 'after', 'limit']);

/**
 * Every GET operation but streams, with every combination of its filters, set and unset. A new operation in the description is
 * included by itself, as long as the values of its parameters are known.
 * @throws Error naming the parameter that has no known value.
 */
export function flatRequests(description: ApiDescription, known: KnownValues): FlatRequest[] {
  return Object.entries(description.paths).flatMap(([template, { get }]) => {
    if (get === undefined || isStream(get)) return [];
    const own = (get.parameters ?? []).filter(({ name }) => name !== undefined);
    const isList = own.some(({ name }) => name === 'cursor');
    const filters = own.filter((one) => one.in === 'query' && !POSITIONS.has(one.name));
    const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => valuesOf({ name }, known)[0] ?? '');
    return combinations(filters.map((one) => [one.name ?? '', [null, ...valuesOf(one, known)]])).map((chosen) => {
      const query = [
        ...(isList ? [`limit=${PAGE}`] : []),
        ...chosen.map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
      ];
      return {
        operation: get.operationId,
        scope: get['x-required-scope'] ?? 'read',
        path: query.length === 0 ? path : `${path}?${query.join('&')}`,
        filters: chosen.map(([name, value]) => `${name}=${name.endsWith('_id') ? '…' : value}`).join(' '),
        isList,
      };
    });
  });
}

function valuesOf({ name = '', schema }: ApiParameter, known: KnownValues): readonly string[] {
  const values = schema?.enum ?? known[name];
  if (values === undefined || values.length === 0)
    throw new Error(`The bench knows no value for the parameter ${name}`);
  return values;
}

function combinations(choices: readonly (readonly [string, readonly (string | null)[]])[]): [string, string][][] {
  return choices.reduce<[string, string][][]>(
    (made, [name, values]) =>
      made.flatMap((chosen) =>
        values.map((value) => (value === null ? chosen : [...chosen, [name, value] satisfies [string, string]])),
      ),
    [[]],
  );
}
