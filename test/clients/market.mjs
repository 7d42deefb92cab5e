import { Progress } from '../../dist/src/dev/processes/progress.js';
import { startTemporaryMarket } from '../../dist/src/dev/local-market/temporary-market.js';

/** Generous limits, because five programs send requests as one account. Other tests cover the limits. */
const GENEROUS = Object.fromEntries(
  ['PRINCIPAL', 'PREPARE', 'ACCOUNT', 'ACCOUNT_PREPARE', 'IP'].map((name) => [`RATE_LIMIT_${name}`, '100000']),
);

/** Starts a sample market in a temporary folder, on its own ports. */
export async function startMarket() {
  const market = await startTemporaryMarket(
    'clients',
    { service: GENEROUS, postgres: {} },
    new Progress(() => undefined, false),
  );
  return { ...market, facts: await factsOf(market.file) };
}

/** A buyer that has an open task with a quote, and the agent that made the quote; and who plays the samples of a README. */
async function factsOf({ base_url, rpc_url, accounts, tasks }) {
  const [buyerOfSamples, workerOfSamples] = ['Bo', 'Lena'].map((name) => accounts.find((one) => one.name === name));
  for (const buyer of accounts) {
    const get = (path) => read(`${base_url}${path}`, buyer.keys.read);
    const own = await get('/v1/tasks?role=buyer&status=open&limit=100');
    const offers = await get('/v1/quotes?limit=100');
    for (const { id, title } of own) {
      const offer = offers.find(({ task_id, status }) => task_id === id && status === 'submitted');
      const worker = accounts.find(({ agents }) => agents.some((agent) => agent.id === offer?.agent_id));
      if (!worker) continue;
      return {
        base_url,
        samples: { node: rpc_url, buyer: buyerOfSamples, worker: workerOfSamples },
        buyer: { account_id: buyer.account_id, read: buyer.keys.read, buyer: buyer.keys.buyer },
        worker: { key: worker.keys.worker },
        open_task: { id, title, agent_id: offer.agent_id },
        task_ids: (await get('/v1/tasks?limit=100')).map((task) => task.id),
      };
    }
  }
  throw new Error(`none of the ${tasks.length} sample tasks is open and has an offer`);
}

async function read(url, key) {
  const response = await fetch(url, { headers: { 'X-Api-Key': key } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()).data;
}
