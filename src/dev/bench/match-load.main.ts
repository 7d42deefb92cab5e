import { Agent, request } from 'node:http';
import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

/** What this process is told on its standard input, as JSON. */
export interface MatchLoadOrder {
  /** Of the service. */
  url: string;
  key: string;
  taskIds: string[];
  /** Matches of each task. */
  page: number;
}

/** What it prints at its end, as JSON: times in milliseconds, and the first ten agents of each task. */
export interface MatchLoadResult {
  /** Each task for the first time, which freezes its ranking. */
  first: number[];
  /** Looked at again soon after the service has started, and when it has run for a while. */
  started: number[];
  running: number[];
  /** Beside `running`, in turns with it: as many agents as a page of the list of all. */
  listed: number[];
  tens: string[][];
}

/**
 * Rounds by which a service that has just started is measured, and by which one that runs. V8 goes on making code for its
 * functions for some 2,400 requests (`--trace-opt`: 484 times in the first 400, 83 in the next, 36 in the fifth), and answers
 * in a fifth to a quarter less time then.
 */
const STARTED_ROUNDS = 3;
const SETTLING_ROUNDS = 10;
const RUNNING_ROUNDS = 3;

/** What each round is measured for, in order; null: for nothing. */
const ROUNDS: readonly ('first' | 'started' | 'running' | null)[] = [
  'first',
  ...Array.from({ length: STARTED_ROUNDS }, () => 'started' as const),
  ...Array.from({ length: SETTLING_ROUNDS }, () => null),
  ...Array.from({ length: RUNNING_ROUNDS }, () => 'running' as const),
];

/**
 * Each task once, then all of them again in rounds. In a process of its own, as the load of the other benches is: the one
 * that has made a million agents has a heap to match, and what it does with that falls into the answers. measured in turns
 * with it, 600 requests each, three times: p95 17.7, 18.6, 17.5 ms there and 15.5, 15.8, 16.6 here
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

/** Milliseconds of the list of all agents: what a match would cost if nothing had to be found and ranked. */
async function listing(url: string, key: string, page: number, agent: Agent): Promise<number> {
  const begun = performance.now();
  const { status } = await get(`${url}/v1/agents?limit=${page}`, key, agent);
  if (status !== 200) throw new Error(`The list of agents answered ${status}`);
  return performance.now() - begun;
}

/**
 * A whole answer over the one connection of `agent`. The client shares the machine with what it measures: `fetch` takes
 * 0.8 ms longer for the same answer.
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
