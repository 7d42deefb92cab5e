import { createExpressApp } from './express-app.js';
import { methodsOf } from './unknown-route.js';

const app = createExpressApp([]);
const done = () => undefined;
app.use(done);
app.get('/v1/tasks', done);
app.get('/v1/tasks/:task_id', done);
app.put('/v1/agents/:agent_id/availability', done);
app.post('/v1/agents', done);
app.get('/v1/agents', done);

it.each([
  ['/v1/tasks', ['GET', 'HEAD', 'OPTIONS']],
  ['/v1/tasks/t1', ['GET', 'HEAD', 'OPTIONS']],
  ['/v1/agents', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/v1/agents/a1/availability', ['OPTIONS', 'PUT']],
  ['/v1/tasks/', []],
  ['/v1/Tasks', []],
  ['/v1/tasks/t1/', []],
  ['/v1/tasks/t1/x', []],
  ['/v1', []],
  ['/', []],
])('%s has the methods %j', (path, methods) => expect(methodsOf(app, path)).toEqual(methods));

it('the app trusts no proxy unless it is told one', () => {
  expect(app.get('trust proxy')).toBe(false);
  const trusts: unknown = createExpressApp(['10.0.0.0/8']).get('trust proxy fn');
  if (typeof trusts !== 'function') throw new Error('Express has no trust function');
  expect([trusts('10.1.2.3', 0), trusts('11.1.2.3', 0)]).toEqual([true, false]);
});
