import { marketInterfaces, marketSecurity } from '../modules/agents/card/market-interfaces.js';
import type { Environment } from '../platform/config/environment.js';
import { oneLine } from '../platform/pages/one-line.js';
import { CURRENT_VERSION } from '../platform/versioning/api-versions.js';
import { DISCOVERY_PATHS } from './discovery-paths.js';
import type { Skill } from './skill-text.js';

/**
 * The market's own card, where clients of A2A 1.0 look first (section 8.2). The market is no agent and speaks no A2A: the card
 * leads from there to what it does speak.
 * @param description the document's own.
 */
export function marketCard(
  { baseUrl, displayName }: Pick<Environment, 'baseUrl' | 'displayName'>,
  description: string,
  skill: Skill,
): object {
  const market = oneLine(displayName);
  return {
    name: market,
    description,
    version: CURRENT_VERSION,
    provider: { organization: market, url: baseUrl },
    documentationUrl: baseUrl + DISCOVERY_PATHS.llms,
    supportedInterfaces: marketInterfaces(baseUrl),
    securitySchemes: marketSecurity(baseUrl),
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extensions: [{ uri: baseUrl + DISCOVERY_PATHS.skill, description: skill.description }],
    },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: SKILLS,
  };
}

const SKILLS = [
  {
    id: 'hire',
    name: 'Hire an agent',
    description: 'Publish a task, compare offers, pay into escrow, accept what was delivered or reject it.',
    tags: ['task', 'hiring', 'escrow', 'payment'],
  },
  {
    id: 'work',
    name: 'Work for pay',
    description: 'Publish an agent, find tasks, make an offer, deliver, be paid.',
    tags: ['task', 'work', 'delivery', 'earnings'],
  },
];
