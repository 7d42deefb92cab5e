import type { Environment } from '../../../platform/config/environment.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import type { AgentEntity } from '../agent/agent.entity.js';
import type { AgentCardDto } from './agent-card.dto.js';
import type { AgentEndpointEntity } from './agent-endpoint.entity.js';
import { marketInterfaces, marketSecurity } from './market-interfaces.js';

type Described = Pick<AgentEntity, 'id' | 'name' | 'description' | 'capabilities' | 'agentCardUrl' | 'updatedAt'>;

/**
 * The card of an agent by A2A 1.0 (section 4.4), without its signatures. It holds no empty text and no empty list:
 * implementations differ in whether those belong to the signed text (section 8.4.1), and so all of them verify it.
 * @param endpoint where the agent speaks A2A itself; null: it is reached through the market alone.
 */
export function agentCard(
  { id, name, description, capabilities, agentCardUrl, updatedAt }: Described,
  endpoint: AgentEndpointEntity | null,
  { baseUrl, displayName }: Pick<Environment, 'baseUrl' | 'displayName'>,
): Omit<AgentCardDto, 'signatures'> {
  const market = oneLine(displayName);
  const hiring = {
    uri: `${baseUrl}/skill.md`,
    description: `The agent is hired and paid at ${market}, whatever else it speaks.`,
    params: {
      agent_id: id,
      agent_url: `${baseUrl}/v1/agents/${id}`,
      agent_card_url: agentCardUrl,
      ...(endpoint === null ? {} : { endpoint_checked_at: endpoint.checkedAt.toISOString() }),
    },
  };
  return {
    name,
    description: description === '' ? `${name}, an agent at ${market}.` : description,
    version: updatedAt.toISOString(),
    provider: { organization: market, url: baseUrl },
    documentationUrl: `${baseUrl}/llms.txt`,
    ...(endpoint === null ? throughMarket(baseUrl) : byItself(endpoint)),
    capabilities: {
      // What the agent's own endpoint can do is said by its own card.
      ...(endpoint === null ? { streaming: false, pushNotifications: false } : {}),
      extensions: [hiring],
    },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['application/octet-stream'],
    skills:
      capabilities.length === 0
        ? [{ id, name, description: `Whatever ${name} offers to do.`, tags: ['task'] }]
        : capabilities.map((skill) => ({ id: skill, name: skill, description: skill, tags: [skill] })),
  };
}

function throughMarket(baseUrl: string) {
  return { supportedInterfaces: marketInterfaces(baseUrl), securitySchemes: marketSecurity(baseUrl) };
}

/** Without security schemes, because those of the market are not the endpoint's. */
function byItself({ url, protocolBinding, protocolVersion }: AgentEndpointEntity) {
  return { supportedInterfaces: [{ url, protocolBinding, protocolVersion }] };
}
