import { existsSync } from 'node:fs';
import { type ApiAnswer, type ApiRequest, callApi } from '../market.js';
import { ObservedProcess } from '../market-process.js';

const MAIN = 'dist/service/main.js';
/** The longest that these specs wait for one answer. */
const ANSWER_MS = 20_000;
/** The time that a service that must not start has to say so. */
const REFUSAL_MS = 60_000;

/** The deployed service in its own process, started as an operator starts it. A spec may do anything to it. */
export class ServiceProcess {
  private constructor(
    readonly process: ObservedProcess,
    readonly url: string,
    readonly managementUrl: string,
  ) {}

  /** Starts it and waits until it listens. */
  static async start(variables: Record<string, string>): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(variables);
    await service.says('"management_url"');
    const line = service.output.split('\n').find((text) => text.includes('"management_url"'))!;
    const { url, management_url } = JSON.parse(line);
    return new ServiceProcess(service, url, management_url);
  }

  /** Starts one that must refuse to start. @returns its exit code and everything it printed. */
  static async refused(variables: Record<string, string>): Promise<{ code: number | null; output: string }> {
    const service = ServiceProcess.spawn(variables);
    const late = setTimeout(() => service.child.kill('SIGKILL'), REFUSAL_MS);
    const code = await service.ended;
    clearTimeout(late);
    return { code, output: service.output };
  }

  /** Ends it, if it is still running. @returns the exit code (null after SIGKILL). */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const { child, ended } = this.process;
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  }

  call(path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    return callApi(`${this.url}${path}`, request, { signal: AbortSignal.timeout(ANSWER_MS) });
  }

  /** Calls operation 1. */
  abandon(taskId: string, nodeId: string, key: string, idempotencyKey: string): Promise<ApiAnswer> {
    return this.call(`/v1/tasks/${taskId}/nodes/${nodeId}/abandon-intents`, {
      method: 'POST',
      key,
      headers: { 'Idempotency-Key': idempotencyKey },
    });
  }

  /** Status of `/health/<name>`; 0 when nobody listens. */
  async health(name: 'live' | 'ready' | 'ready/writes' | 'startup'): Promise<number> {
    const options = { signal: AbortSignal.timeout(ANSWER_MS) };
    return fetch(`${this.managementUrl}/health/${name}`, options).then(
      ({ status }) => status,
      () => 0,
    );
  }

  /** The value of a metric without labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.managementUrl}/metrics`)).text();
    const line = text.split('\n').find((one) => one.includes(`${name} `) && !one.startsWith('#'));
    return Number(line?.split(' ').at(-1));
  }

  private static spawn(variables: Record<string, string>): ObservedProcess {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` before the e2e specs`);
    return ObservedProcess.node([MAIN], variables);
  }
}

/** Expects the one shape of a refusal that is temporary. */
export function expectUnavailable({ status, headers, body, text }: ApiAnswer): void {
  expect({ status, text }).toEqual({ status: 503, text: expect.any(String) });
  expect(body).toEqual({
    error: { code: 'service_unavailable', reason: expect.any(String), suggestion: expect.any(String) },
  });
  expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(headers.get('Service-Version')).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(headers.get('X-Request-Id')).toMatch(/\S/);
  expect(headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(text).not.toMatch(/ECONN|postgres|127\.0\.0\.1|anvil/i);
}
