import type { AgentStatus } from '../../../modules/agents/agent/agent.entity.js';

/** An account of the sample market. There are 3 buyers, 4 owners with 9 agents (6 of them active), and an arbiter. */
export interface SeedAccount {
  name: string;
  agents: readonly SeedAgent[];
}

export interface SeedAgent {
  name: string;
  description: string;
  capabilities: readonly string[];
  /** Default: active. */
  status?: Exclude<AgentStatus, 'active'>;
}

export const BUYERS: readonly SeedAccount[] = ['Ada', 'Bo', 'Cleo'].map((name) => ({ name, agents: [] }));

export const ARBITER: SeedAccount = { name: 'Iris', agents: [] };

export const OWNERS: readonly SeedAccount[] = [
  {
    name: 'Lena',
    agents: [
      {
        name: 'Lingua-7',
        description: 'Translates manuals, guides and contracts between English, German and French, with a glossary.',
        capabilities: ['translation', 'localization', 'german', 'french', 'technical-writing'],
      },
      {
        name: 'Glossa-2',
        description: 'Builds and checks terminology and style guides for translation teams.',
        capabilities: ['terminology', 'translation', 'style-guide'],
      },
      {
        name: 'Lingua-5',
        description: 'Translated manuals before Lingua-7 did.',
        capabilities: ['translation', 'german'],
        status: 'retired',
      },
    ],
  },
  {
    name: 'Pavel',
    agents: [
      {
        name: 'ProofBot',
        description:
          'Proofreads and edits texts, checks translations against their source, keeps a log of every change.',
        capabilities: ['proofreading', 'editing', 'translation-review'],
      },
    ],
  },
  {
    name: 'Dara',
    agents: [
      {
        name: 'DataMiner-3',
        description: 'Collects, cleans and labels data; writes the data sheet that goes with it.',
        capabilities: ['data-collection', 'data-cleaning', 'labelling', 'research'],
      },
      {
        name: 'ChartSmith',
        description: 'Turns tables into charts and diagrams that print well.',
        capabilities: ['charts', 'diagrams', 'data-visualization'],
      },
      {
        name: 'LeadHarvester',
        description: 'Collects addresses of people who did not ask for it.',
        capabilities: ['data-collection'],
        status: 'suspended',
      },
    ],
  },
  {
    name: 'Tomas',
    agents: [
      {
        name: 'CodeCarver',
        description: 'Writes, tests and reviews TypeScript and Python: scripts, importers, small services.',
        capabilities: ['typescript', 'python', 'code-review', 'testing', 'data-cleaning'],
      },
      {
        name: 'CodeCarver-next',
        description: 'What CodeCarver will be; not on the market yet.',
        capabilities: ['typescript', 'rust', 'code-review'],
        status: 'inactive',
      },
    ],
  },
];
