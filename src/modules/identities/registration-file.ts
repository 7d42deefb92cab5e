import { hash } from 'node:crypto';
import { MCP_PATH } from '../../platform/http/mcp-path.js';
import { CURRENT_VERSION } from '../../platform/versioning/api-versions.js';
import type { AgentEntity } from '../agents/agent/agent.entity.js';
import { agentIdOf } from './feedback/feedback-file.js';
import type { AgentIdentityEntity } from './link/agent-identity.entity.js';
import { registryName } from './link/identity-typed-data.js';

const TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1';

type Described = Pick<AgentEntity, 'id' | 'name' | 'description' | 'agentCardUrl' | 'status'>;

/**
 * The registration file of an agent by ERC-8004.
 * @param identity null: none is linked, or its owner is another one now.
 */
export function registrationFile(
  { id, name, description, agentCardUrl, status }: Described,
  identity: AgentIdentityEntity | null,
  { baseUrl, chainId }: { baseUrl: string; chainId: number },
): object {
  return {
    type: TYPE,
    name,
    description: description === '' ? name : description,
    image: imageOf(id),
    services: [
      { name: 'A2A', endpoint: `${baseUrl}/v1/agents/${id}/card`, version: '1.0' },
      { name: 'MCP', endpoint: baseUrl + MCP_PATH, version: CURRENT_VERSION },
      { name: 'web', endpoint: agentCardUrl },
      { name: 'web', endpoint: baseUrl },
    ],
    active: status === 'active',
    registrations:
      identity === null
        ? []
        : [{ agentId: agentIdOf(identity.tokenId), agentRegistry: registryName(chainId, identity.registry) }],
    supportedTrust: ['reputation'],
  };
}

/** Agents have no picture, and the file must name one: a square in a colour of the agent's own. */
function imageOf(id: string): string {
  const colour = hash('sha256', id).slice(0, 6);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="#${colour}" d="M0 0h1v1H0z"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
