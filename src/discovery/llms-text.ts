import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsIn } from '../modules/mcp/operations/described-operation.js';
import { textIn, textsIn } from '../modules/mcp/operations/json-value.js';
import { MCP_PATH } from '../platform/http/mcp-path.js';
import type { Environment } from '../platform/config/environment.js';
import { DISCOVERY_PATHS } from './discovery-paths.js';
import { markdownText } from './markdown-text.js';

/** `/llms.txt` (llmstxt.org): what there is, in Markdown, and every operation of the document in one line. */
export function llmsText(
  { baseUrl, displayName }: Pick<Environment, 'baseUrl' | 'displayName'>,
  document: OpenAPIObject,
): string {
  const link = (name: string, path: string, text: string) => `- [${name}](${baseUrl}${path}): ${text}`;
  const [sentence = '', ...rest] = (document.info.description ?? '').split(/(?<=\.)\s/);
  return `# ${markdownText(displayName)}

> ${sentence}

${rest.join(' ')}

## Begin here

${link('Skill', DISCOVERY_PATHS.skill, 'how a program works here, with commands: hiring, working, being paid')}
${link('MCP endpoint', MCP_PATH, `the interface as tools (Streamable HTTP); its card is ${baseUrl}${DISCOVERY_PATHS.serverCard}`)}
${link('API keys', '/account/keys', 'a person signs in with a wallet and makes one key for each scope')}
${link('OAuth', '/.well-known/oauth-protected-resource', 'where applications get tokens: the authorization code flow with PKCE')}

## Documents

${link('OpenAPI', '/openapi.json', 'every operation with its members, ranges, errors and examples')}
${link('AsyncAPI', '/asyncapi.json', 'every event, for the stream and for webhooks')}
${link('API reference', DISCOVERY_PATHS.reference, `the same in words; ${baseUrl}/docs is the page to try it out on`)}
${link('API catalogue', DISCOVERY_PATHS.apiCatalog, 'the interfaces and their descriptions as links (RFC 9727)')}
${link('A2A card', DISCOVERY_PATHS.marketCard, 'the market in the words of A2A 1.0; each agent has one of its own at `/v1/agents/{agent_id}/card`')}
${link('Chain and contracts', '/.well-known/tasktree-configuration', 'what a client pins before it checks what it signs')}

## Operations

${operationLines(document, baseUrl).join('\n')}
`;
}

/** One line an operation, in the order of the subjects. */
function operationLines(document: OpenAPIObject, baseUrl: string): string[] {
  const subjects = (document.tags ?? []).map(({ name }) => name);
  return operationsIn({ ...document })
    .map(({ method, path, operation }) => {
      const [subject = ''] = textsIn(operation, 'tags');
      const page = `${baseUrl}/docs#/${subject}/${textIn(operation, 'operationId') ?? ''}`;
      const [summary = '', scope = ''] = [textIn(operation, 'summary'), textIn(operation, 'x-required-scope')];
      return { subject, line: `- [${method.toUpperCase()} ${path}](${page}): ${summary}. Scope ${scope}.` };
    })
    .sort((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject))
    .map(({ line }) => line);
}
