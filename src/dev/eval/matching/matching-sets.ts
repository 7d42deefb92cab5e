import { DataFault } from '../../data/data-fault.js';
import { type OpenedSet, openSet } from '../../data/open-set.js';
import { META_TOOL, SEAL_TOOLS } from '../../data/public-sets.js';
import { messageOf } from '../../processes/local-fault.js';
import type { Seeded } from '../statistics/seeded.js';

/** A tool of a public retrieval set, in the fields of an agent. */
export interface EvalTool {
  name: string;
  capabilities: string[];
  description: string;
}

/** A request, and the numbers of the tools that serve it. */
export interface EvalRequest {
  text: string;
  wanted: number[];
}

/** Tools, test requests, and past requests that the tools have served. */
export interface RetrievalSet {
  name: string;
  tools: EvalTool[];
  tests: EvalRequest[];
  /** In random order; no request has the text of a test. */
  history: EvalRequest[];
}

/** `validation` takes its tests from the requests that are history under `test`, so constants may be chosen on it. */
export type MeasuredOn = 'test' | 'validation';

const META_TOOL_TOOLS = 'metatool/plugin_des.json';
const META_TOOL_REQUESTS = 'metatool/all_clean_data.csv';
const META_TOOL_TESTS = 2_000;
const SEAL = {
  tools: 'sealtools/tool.jsonl',
  dev: 'sealtools/dev.jsonl',
  'in-domain': 'sealtools/test_in_domain.jsonl',
  'out-domain': 'sealtools/test_out_domain.jsonl',
} as const;

/**
 * Reads the retrieval sets below this folder. `origins` says where each file came from.
 * @throws DataFault when a file is missing or has other content.
 */
export function readSets(
  dataFolder: string,
  on: MeasuredOn,
  chance: Seeded,
): { sets: RetrievalSet[]; origins: string[] } {
  const [meta, seal] = [openSet(dataFolder, META_TOOL), openSet(dataFolder, SEAL_TOOLS)];
  try {
    const sets = [metaTool(meta, on, chance), ...sealTools(seal, on, chance)];
    const empty = sets.find(({ tools, tests }) => tools.length === 0 || tests.length === 0);
    if (empty) throw new DataFault(`${empty.name} in ${dataFolder} has no tools or no requests.`);
    return { sets, origins: [...meta.origins, ...seal.origins] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DataFault(`The texts in ${dataFolder} cannot be read: ${messageOf(error)}`);
  }
}

/** The tests are 2,000 random requests; for validation, 2,000 of the others. */
function metaTool({ name: set, text: read }: OpenedSet, on: MeasuredOn, chance: Seeded): RetrievalSet {
  const described: unknown = JSON.parse(read(META_TOOL_TOOLS));
  const entries = Object.entries(isRecord(described) ? described : {});
  const tools = entries.map(([name, text]) => ({ name, capabilities: [], description: String(text) }));
  const numbers = new Map(entries.map(([name], number) => [name, number]));
  const [, ...rows] = csvRows(read(META_TOOL_REQUESTS));
  const requests = rows.flatMap(([text = '', tool = '']) => {
    const number = numbers.get(tool);
    return number === undefined ? [] : [{ text, wanted: [number] }];
  });
  const shuffled = chance.sample(requests, requests.length);
  const [test, train] = [shuffled.slice(0, META_TOOL_TESTS), shuffled.slice(META_TOOL_TESTS)];
  const others = without(train, test);
  return on === 'test'
    ? { name: set, tools, tests: test, history: others }
    : {
        name: `${set} (validation)`,
        tools,
        tests: others.slice(0, META_TOOL_TESTS),
        history: without(others.slice(META_TOOL_TESTS), others.slice(0, META_TOOL_TESTS)),
      };
}

/**
 * Two test sets, with the development requests as history. For validation, half of the development requests are tests
 * and the other half history.
 */
function sealTools({ name: set, text: read }: OpenedSet, on: MeasuredOn, chance: Seeded): RetrievalSet[] {
  const described = jsonLines(read(SEAL.tools));
  const tools = described.map(sealTool);
  const numbers = new Map(tools.map(({ name }, number) => [name, number]));
  const requests = (file: string): EvalRequest[] =>
    jsonLines(read(file)).map(({ query, calling }) => ({
      text: String(query),
      wanted: [...new Set(callsOf(calling).flatMap((api) => numbers.get(api) ?? []))],
    }));
  const dev = requests(SEAL.dev);
  const past = chance.sample(dev, dev.length);
  if (on === 'validation') {
    const half = Math.floor(past.length / 2);
    const tests = past.slice(0, half);
    return [{ name: `${set} (validation)`, tools, tests, history: without(past.slice(half), tests) }];
  }
  return (['in-domain', 'out-domain'] as const).map((domain) => {
    const tests = requests(SEAL[domain]);
    return { name: `${set} ${domain}`, tools, tests, history: without(past, tests) };
  });
}

/**
 * A tool with its description, parameters and responses as the text. Its `field`, the category that it was generated
 * from, is left out. This was chosen on the development requests: nDCG@10 is 0.93, and 0.86 without parameters and
 * responses.
 */
function sealTool({ api_name, api_description, parameters, responses }: Record<string, unknown>): EvalTool {
  const members = [parameters, responses].filter(isRecord).flatMap((part) => Object.entries(part));
  const texts = members.map(([name, member]) => `${name} ${isRecord(member) ? String(member['description']) : ''}`);
  return { name: String(api_name), capabilities: [], description: [String(api_description), ...texts].join('\n') };
}

function without(requests: readonly EvalRequest[], tests: readonly EvalRequest[]): EvalRequest[] {
  const key = ({ text }: EvalRequest): string => text.trim().toLowerCase();
  const known = new Set(tests.map(key));
  return requests.filter((request) => !known.has(key(request)));
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
    .filter(isRecord);
}

function callsOf(calling: unknown): string[] {
  return Array.isArray(calling) ? calling.filter(isRecord).map(({ api }) => String(api)) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Rows of a CSV text. A quoted field may contain commas, line breaks and doubled quotation marks. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  return rows;
}
