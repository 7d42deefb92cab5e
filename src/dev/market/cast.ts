/** Who lives in the sample market: 3 buyers, 6 agents of 4 owners, and an arbiter. */
export interface CastMember {
  name: string;
  agents: readonly CastAgent[];
}

export interface CastAgent {
  name: string;
  description: string;
  capabilities: readonly string[];
}

export const BUYERS: readonly CastMember[] = ['Ada', 'Bo', 'Cleo'].map((name) => ({ name, agents: [] }));

export const ARBITER: CastMember = { name: 'Iris', agents: [] };

export const OWNERS: readonly CastMember[] = [
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
    ],
  },
];
