import { ServiceLog } from './service-log.js';

const KEY = `mkt_live_w_${'a1B2'.repeat(9)}`;

function logged(use: (log: ServiceLog) => void): { lines: Record<string, any>[]; text: string } {
  const written: string[] = [];
  use(new ServiceLog('trace', { write: (line: string) => void written.push(line) }));
  return { lines: written.map((line) => JSON.parse(line)), text: written.join('') };
}

it('an access record is one line of JSON', () => {
  const { lines } = logged((log) => log.access({ route: '/v1/tasks', status: 200, ms: 1.5, principal: undefined }));
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      pid: process.pid,
      route: '/v1/tasks',
      status: 200,
      ms: 1.5,
      msg: 'request',
    },
  ]);
});

it('secrets are taken out by their names', () => {
  const { text } = logged((log) =>
    log.log({
      authorization: 'hunter2',
      signing_url: 'hunter2',
      req: { headers: { 'x-api-key': 'hunter2', cookie: 'hunter2', 'idempotency-key': 'hunter2' } },
      body: { code: 'hunter2', refresh_token: 'hunter2' },
    }),
  );
  expect(text).not.toContain('hunter2');
});

it('an error of the database is written without the values of its statement', () => {
  const driverError = Object.assign(new Error('broken'), { parameters: ['hunter2'] });
  const error = Object.assign(new Error('broken'), { query: 'SELECT $1', parameters: ['hunter2'], driverError });
  const { text } = logged((log) => {
    log.error({ err: error, requestId: 'r' }, 'request failed');
    log.error(error);
  });
  expect(text).toContain('SELECT $1');
  expect(text).not.toContain('hunter2');
});

it('secrets are taken out wherever they stand in a text', () => {
  const { text } = logged((log) => {
    log.warn(`refused ${KEY}`);
    log.log('opened https://x.example/sign/AbC-dEf_123 and /previews/tok.en~1?x=1');
    log.log('downloaded https://x.example/artifacts/tok.en-2');
    log.error(new Error('cannot connect to postgres://user:hunter2@db/x'));
    log.debug('sent Authorization: Bearer abc.def.ghi');
  });
  expect(text).not.toMatch(/a1B2|AbC-dEf|tok\.en|hunter2|abc\.def/);
  expect(text).toContain('mkt_live_w_[redacted]');
  expect(text).toContain('/sign/[redacted]');
});

it('an error of Nest keeps its context and its stack', () => {
  const { lines } = logged((log) => {
    log.error({ err: new TypeError('bad'), requestId: 'r1' }, 'request failed', 'Errors');
    log.error('it broke', new Error('why').stack, 'Indexer');
    log.log('ready', 'Nest');
  });
  expect(lines[0]).toMatchObject({
    context: 'Errors',
    requestId: 'r1',
    msg: 'request failed',
    err: { message: 'bad' },
  });
  expect(lines[1]).toMatchObject({ context: 'Indexer', msg: 'it broke', stack: expect.stringContaining('why') });
  expect(lines[2]).toMatchObject({ level: 'info', context: 'Nest', msg: 'ready' });
});
