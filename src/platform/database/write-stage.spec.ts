import { atStage, refuseStrayWrite, refuseWhileWriting, type WriteStage } from './write-stage.js';

const at = (stage: WriteStage['stage'], work: () => void) => () => atStage({ stage }, work);

it.each([
  'INSERT INTO t VALUES (1)',
  '\n  UPDATE t SET a = 1',
  'DELETE FROM t',
  'WITH gone AS (DELETE FROM t RETURNING 1) SELECT * FROM gone',
  'SELECT 1 FROM t FOR UPDATE',
  'SELECT 1 FROM t FOR NO KEY UPDATE SKIP LOCKED',
  'select 1 from t for key share',
  "SELECT pg_notify('a', 'b')",
  'SELECT pg_try_advisory_lock(1)',
  'TRUNCATE t',
  'START TRANSACTION',
])('before its transaction is open a write may not send: %s', (text) => {
  expect(at('reading', () => refuseStrayWrite(text))).toThrow(/Transactions\.run/);
  expect(at('writing', () => refuseStrayWrite(text))).not.toThrow();
  expect(at('over', () => refuseStrayWrite(text))).not.toThrow();
  expect(() => refuseStrayWrite(text)).not.toThrow();
});

it.each([
  '\n  SELECT updated_at, deleted_from FROM t ORDER BY 1',
  'WITH a AS MATERIALIZED (SELECT 1) SELECT * FROM a',
  'VALUES (1)',
  '',
])('before its transaction is open a write may send: %s', (text) => {
  expect(at('reading', () => refuseStrayWrite(text))).not.toThrow();
});

it('no other server is asked while a transaction is open, also by work that began to wait before', async () => {
  const write: WriteStage = { stage: 'reading' };
  await atStage(write, async () => {
    expect(() => refuseWhileWriting('eth_call')).not.toThrow();
    write.stage = 'writing';
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => refuseWhileWriting('eth_call')).toThrow(/eth_call .* transaction was open/);
    write.stage = 'over';
    expect(() => refuseWhileWriting('eth_call')).not.toThrow();
  });
  expect(() => refuseWhileWriting('eth_call')).not.toThrow();
});
