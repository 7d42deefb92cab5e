import { Agent, request } from 'node:http';
import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

/** What this process reads from its standard input, as JSON. */
export interface MatchLoadOrder {
  /** Base URL of the service. */
  url: string;
  key: string;
  taskIds: string[];
  /** How many matches to ask for of each task. */
  page: number;
}

/**
 * What this process prints when it ends, as JSON: times in milliseconds, and the ids of the first ten agents of each
 * task.
 */
export interface MatchLoadResult {
  /** The first request for each task, which freezes the task's ranking. */
  first: number[];
  /** Later requests: `started` in the first rounds after the service has started, `running` after it has settled. */
  started: number[];
  running: number[];
  /** Requests for a page of the list of all agents, of the same length, each sent after one of `running`. */
  listed: number[];
  tens: string[][];
}

/**
 * Rounds that count as measured after the start, and rounds to wait before those that count as running. V8 goes on
 * optimising functions during about 2,400 requests (`--trace-opt`: 484 times in the first 400, 83 in the next, 36 in
 * the fifth); afterwards an answer takes a fifth to a quarter less time.
 */
const STARTED_ROUNDS = 3;
const SETTLING_ROUNDS = 10;
const RUNNING_ROUNDS = 3;

/** Which times each round adds to, in order; null: to none. */
const ROUNDS: readonly ('first' | 'started' | 'running' | null)[] = [
  'first',
  ...Array.from({ length: STARTED_ROUNDS }, () => 'started' as const),
  ...Array.from({ length: SETTLING_ROUNDS }, () => null),
  ...Array.from({ length: RUNNING_ROUNDS }, () => 'running' as const),
];

/**
 * Asks for the matches of each task once, then again in rounds. It runs in its own process, because the process that
 * has made a million agents has a large heap, whose garbage collection would lengthen the measured times. Measured in
 * turns, 600 requests each, three times: p95 17.7, 18.6, 17.5 ms in that process and 15.5, 15.8, 16.6 ms in this one.
 */
async function run({ url, key, taskIds, page }: MatchLoadOrder): Promise<MatchLoadResult> {
  const result: MatchLoadResult = { first: [], started: [], running: [], listed: [], tens: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const [round, part] of ROUNDS.entries()) {
    for (const id of taskIds) {
      const begun = performance.now();
      const { status, body } = await get(`${url}/v1/tasks/${id}/matches?limit=${page}`, key, agent);
      if (part !== null) result[part].push(performance.now() - begun);
      if (status !== 200) throw new Error(`The matches of ${id} answered ${status}: ${body.toString()}`);
      if (part === 'running') result.listed.push(await listing(url, key, page, agent));
      if (round === 0) result.tens.push(idsOf(body.toString()).slice(0, 10));
    }
  }
  agent.destroy();
  return result;
}

/** Milliseconds that a page of all agents takes: the cost of a match if nothing had to be found or ranked. */
async function listing(url: string, key: string, page: number, agent: Agent): Promise<number> {
  const begun = performance.now();
  const { status } = await get(`${url}/v1/agents?limit=${page}`, key, agent);
  if (status !== 200) throw new Error(`The list of agents answered ${status}`);
  return performance.now() - begun;
}

/**
 * Reads a whole answer over the single connection of `agent`. `fetch` would take 0.8 ms more of CPU time for the same
 * answer, and the client shares the machine with the service.
 */
function get(url: string, key: string, agent: Agent): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { 'X-Api-Key': key } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

function idsOf(body: string): string[] {
  const page = JSON.parse(body) as { data: { agent: { id: string } }[] };
  return page.data.map(({ agent }) => agent.id);
}

stdout.write(`${JSON.stringify(await run(JSON.parse(await text(stdin)) as MatchLoadOrder))}\n`);
