import { Metrics } from './metrics.js';

it('requests are counted by route, method and status', async () => {
  const metrics = new Metrics();
  metrics.observeRequest({ route: '/v1/tasks', method: 'GET', status: 200, seconds: 0.004 });
  metrics.observeRequest({ route: '/v1/tasks', method: 'GET', status: 200, seconds: 0.2 });
  metrics.observeRequest({ route: '/v1/tasks', method: 'GET', status: 429, seconds: 0.001, limitOutcome: 'principal' });
  metrics.observeRequest({ route: '/x', method: 'POST', status: 200, seconds: 1, idempotencyOutcome: 'replayed' });
  metrics.countPreparedAction('abandon_node');
  metrics.addGauge('queue_depth', 'Depth', () => 7);
  const text = await metrics.text();
  expect(text).toContain('http_request_duration_seconds_count{route="/v1/tasks",method="GET",status="200"} 2');
  expect(text).toContain('rate_limit_denials_total{bucket="principal"} 1');
  expect(text).toContain('idempotency_outcomes_total{outcome="replayed"} 1');
  expect(text).toContain('prepared_actions_total{kind="abandon_node"} 1');
  expect(text).toContain('queue_depth 7');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
});
