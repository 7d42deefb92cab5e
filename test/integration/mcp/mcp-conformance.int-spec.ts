import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'express';
import { ToolCatalogue } from '../../../src/modules/mcp/tools/tool-catalogue.js';
import { CombinedTools } from '../../../src/modules/mcp/tools/combined-tools.js';
import { OperationTools } from '../../../src/modules/mcp/tools/operation-tools.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { ListeningService } from '../../support/listening-service.js';
import { freePort } from '../../support/loopback-port.js';
import { FixtureCatalogue } from './mcp-fixture-tools.js';
import { PlainClient } from '../../support/oauth/oauth-client.js';
import { Person } from '../../support/oauth/person.js';

/**
 * The official conformance suite on the endpoint as it is, with the suite's fixture tools beside its own ones. The suite
 * needs Node 22, so `npm run test:mcp-conformance` installs both and names their folder; without it nothing is run here.
 */
const FOLDER = process.env.MCP_CONFORMANCE;

const NO_SESSION = 'needs a session, and the endpoint keeps none';
const NO_RESOURCES = 'the service offers tools alone, no resources';
const NO_PROMPTS = 'the service offers tools alone, no prompts';
const DEPRECATED = 'logging is deprecated in 2026-07-28 and not offered';
const NOTHING_TO_COMPLETE = 'there are no prompts and resources whose arguments could be completed';
const NO_CHANGES =
  'the tools never change while a client listens, so a stream that would say so is refused rather than held';
const NO_HEADERS = 'not required of a server; no tool takes an argument from a header';

/**
 * Checks of each revision that fail, and why that is meant to be so: all of a scenario, or one check of it. Any other failure
 * is a fault, and so is an exclusion that has nothing to exclude. The extension of tasks is not required and not offered.
 */
const EXCLUDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25': {
    'logging-set-level': DEPRECATED,
    'tools-call-with-logging': DEPRECATED,
    'completion-complete': NOTHING_TO_COMPLETE,
    'tools-call-sampling': NO_SESSION,
    'tools-call-elicitation': NO_SESSION,
    'elicitation-sep1034-defaults': NO_SESSION,
    'elicitation-sep1330-enums': NO_SESSION,
    'resources-list': NO_RESOURCES,
    'resources-read-text': NO_RESOURCES,
    'resources-read-binary': NO_RESOURCES,
    'resources-templates-read': NO_RESOURCES,
    'resources-subscribe': NO_RESOURCES,
    'resources-unsubscribe': NO_RESOURCES,
    'prompts-list': NO_PROMPTS,
    'prompts-get-simple': NO_PROMPTS,
    'prompts-get-with-args': NO_PROMPTS,
    'prompts-get-embedded-resource': NO_PROMPTS,
    'prompts-get-with-image': NO_PROMPTS,
  },
  '2026-07-28': {
    'caching/sep-2549-prompts-list-caching-hints': NO_PROMPTS,
    'caching/sep-2549-resources-list-caching-hints': NO_RESOURCES,
    'caching/sep-2549-resources-templates-list-caching-hints': NO_RESOURCES,
    'completion-complete': NOTHING_TO_COMPLETE,
    'http-custom-header-server-validation': NO_HEADERS,
    'input-required-result-non-tool-request': NO_PROMPTS,
    'prompts-get-embedded-resource': NO_PROMPTS,
    'prompts-get-simple': NO_PROMPTS,
    'prompts-get-with-args': NO_PROMPTS,
    'prompts-get-with-image': NO_PROMPTS,
    'prompts-list': NO_PROMPTS,
    'resources-list': NO_RESOURCES,
    'resources-read-binary': NO_RESOURCES,
    'resources-read-text': NO_RESOURCES,
    'resources-templates-read': NO_RESOURCES,
    'server-stateless/sep-2575-server-sends-subscription-ack': NO_CHANGES,
    'server-stateless/sep-2575-server-tags-subscription-id': NO_CHANGES,
  },
};
const EXTENSIONS = /^(?:tasks-|sep-2640-)/;

interface CheckRecord {
  id: string;
  status: string;
  errorMessage?: string;
}

(FOLDER === undefined ? describe.skip : describe)(
  'the official conformance suite, by npm run test:mcp-conformance',
  () => {
    let service: ListeningService;
    let results: string;
    let key: string;

    beforeAll(async () => {
      results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
      service = await ListeningService.listen({
        environment: { rateLimitPrincipal: 100_000, rateLimitAccount: 100_000, rateLimitIp: 100_000 },
        override: (testing) =>
          testing.overrideProvider(ToolCatalogue).useFactory({
            factory: (environment: Environment, single: OperationTools, combined: CombinedTools) =>
              new FixtureCatalogue(environment, single, combined),
            inject: [Environment, OperationTools, CombinedTools],
          }),
        // The suite cannot send a credential.
        prepare: (app) =>
          app.use((request: Request, _response: unknown, next: () => void) => {
            if (request.path === '/mcp') request.headers['x-api-key'] = key;
            next();
          }),
      });
      ({
        keys: { read: key },
      } = await service.caller(null));
    });

    afterAll(async () => {
      await service?.close();
      rmSync(results, { recursive: true, force: true });
    });

    it.each(Object.keys(EXCLUDED))('%s: everything that it requires but what is excluded', async (revision) => {
      const folder = join(results, revision);
      const args = ['server', '--url', `${service.url}/mcp`, '--requirements', revision, '-o', folder];
      await suite(args);
      const scenarios = readdirSync(folder)
        .map((name) => [scenarioOf(name), checksOf(join(folder, name))] as const)
        .filter(([name]) => !EXTENSIONS.test(name));
      const checks = scenarios.flatMap(([name, all]) => all.map((check) => ({ ...check, name })));
      const failed = checks.filter(({ status }) => status === 'FAILURE');
      const meant = EXCLUDED[revision]!;
      const exclusionOf = ({ name, id }: { name: string; id: string }) =>
        [name, `${name}/${id}`].find((each) => each in meant);
      expect(failed.filter((check) => exclusionOf(check) === undefined)).toEqual([]);
      expect(new Set(failed.map(exclusionOf))).toEqual(new Set(Object.keys(meant)));
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
      const whole = scenarios.filter(([name]) => !failed.some((check) => check.name === name)).length;
      process.stdout.write(
        `${revision}: ${whole} of ${scenarios.length} scenarios whole, ${passed} checks passed, ${failed.length} excluded\n`,
      );
    });

    it('the authorization server: its metadata, and a code that a person has allowed', async () => {
      const folder = join(results, 'authorization');
      const port = await freePort();
      const { clientId } = await PlainClient.register(service.url, `http://127.0.0.1:${port}/callback`);
      const person = new Person(service.url);
      let sent: Promise<unknown> | undefined;
      const args = [
        '--url',
        service.url,
        '--client-id',
        clientId,
        '--resource',
        `${service.url}/mcp`,
        '-p',
        String(port),
      ];
      await suite(['authorization', ...args, '-o', folder], (said) => {
        const [url] = /http\S+\/oauth\/authorize\?\S+(?=\s)/.exec(said) ?? [];
        if (url !== undefined) sent ??= person.authorize(url).then((arrived) => fetch(arrived));
      });
      await sent;
      const scenarios = readdirSync(folder).map((name) => checksOf(join(folder, name)));
      expect(scenarios).toHaveLength(2);
      expect(scenarios.flat().filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
      process.stdout.write(
        `authorization: ${scenarios.length} of 2 scenarios, ${scenarios.flat().length} checks passed\n`,
      );
    });
  },
);

/**
 * Runs the suite to its end, whatever its exit code: the checks are read from its files.
 * @param onOutput gets everything that it has said so far.
 */
function suite(args: readonly string[], onOutput: (said: string) => void = () => {}): Promise<void> {
  const program = join(FOLDER!, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(process.env.MCP_CONFORMANCE_NODE ?? process.execPath, [program, ...args]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => onOutput((said += chunk.toString())));
  child.stderr.resume();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

/** `server-ping-2026-11-27T22-00-00-000Z` as `ping`. */
function scenarioOf(folder: string): string {
  return folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
}

function checksOf(folder: string): CheckRecord[] {
  return JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'));
}
