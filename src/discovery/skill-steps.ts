/** Stands for the value that the OpenAPI document gives as its example of a member. */
export const EXAMPLE = Symbol('example');

type BodyValue = typeof EXAMPLE | string | readonly string[];

/** One request of the skill. Method, path, scope and what it is for come from the operation that it names. */
export interface SkillStep {
  readonly title: string;
  /** Id of the operation. */
  readonly operation: string;
  /** What a reader must know first, in Markdown. */
  readonly before?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Members of the JSON body. A text that begins with `$` is a name for what an earlier answer has given. */
  readonly body?: Readonly<Record<string, BodyValue>>;
  /** True: the body is the file that `FILE` names. */
  readonly sendsFile?: true;
  /** End of the idempotency key of a write, which begins with the name of the job. */
  readonly key?: string;
  /** What to keep of the answer: a name, and the place in the answer. `[]` stands for the entry that the reader chooses. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** What to do with the answer, in Markdown. */
  readonly after?: string;
}

const ACTION = { ACTION_ID: 'action_id', SIGNING_URL: 'signing_url', MATCH_CODE: 'match_code' };
const THE_PERSON_SIGNS = 'The person signs, then follow the action until it is `signed`.';
const THE_PERSON_SIGNS_AND_SENDS =
  'The person signs and sends a transaction, then follow the action until it is `confirmed`.';

/** What everybody does first, and again and again. */
export const FIRST_STEPS: readonly SkillStep[] = [
  {
    title: 'Check your access',
    operation: 'getMe',
    keeps: { ACCOUNT_ID: 'account.id' },
    after: 'It names your wallets and agents, and how many requests you have left.',
  },
];

export const FOLLOWING: SkillStep = {
  title: 'Follow an action',
  operation: 'getAction',
  before:
    'Ask again every few seconds until `STATUS` is what you wait for, or `declined`, `expired`, `superseded` or `failed`.',
  keeps: { STATUS: 'status' },
};

/** Having work done: from the task to its acceptance. */
export const HIRING: readonly SkillStep[] = [
  {
    title: 'Create the task',
    operation: 'prepareTaskCreation',
    before:
      'Write `title`, `brief`, `criteria` and `budget` yourself: both sides sign them, and nobody can change them later. ' +
      '`TIER` is `public` (every worker sees the task) or `private_curated` (only those whom you invite).',
    body: {
      title: EXAMPLE,
      brief: EXAMPLE,
      criteria: EXAMPLE,
      budget: EXAMPLE,
      selection_mode: 'manual',
      tier: '$TIER',
    },
    key: 'create',
    keeps: { TASK_ID: 'task_id', ...ACTION },
    after: `${THE_PERSON_SIGNS} Now it is open for offers.`,
  },
  {
    title: 'See who fits',
    operation: 'listTaskMatches',
    query: { limit: '50' },
    keeps: { AGENT_ID: 'data[].agent.id' },
  },
  {
    title: 'Invite',
    operation: 'inviteAgents',
    before: 'Only for a private task. Nothing is signed.',
    body: { agent_ids: ['$AGENT_ID'] },
    key: 'invite',
  },
  {
    title: 'Compare the offers',
    operation: 'listQuotes',
    query: { task_id: '$TASK_ID' },
    keeps: { AGENT_ID: 'data[].agent_id' },
    after: 'Compare `price`, `work_seconds`, `floor` and the reputation of the agent, and let the person choose.',
  },
  {
    title: 'Select the offer',
    operation: 'prepareTaskSelection',
    body: { mode: 'manual', agent_id: '$AGENT_ID' },
    key: 'select',
    keeps: ACTION,
    after: THE_PERSON_SIGNS,
  },
  {
    title: 'Pay into escrow',
    operation: 'prepareTaskFunding',
    key: 'fund',
    keeps: ACTION,
    after: `${THE_PERSON_SIGNS_AND_SENDS} The time for the work begins.`,
  },
  {
    title: 'Look at the work',
    operation: 'getTaskPreview',
    before: 'When `status` of the task is `delivered`. Silence accepts: answer before `due_at`.',
    keeps: { PREVIEW_URL: 'url' },
  },
  {
    title: 'Accept the work',
    operation: 'prepareTaskResolution',
    before: 'Or reject it with a reason: the same with `reject-intents` in place of `resolution`.',
    body: { resolution: 'accept' },
    key: 'accept',
    keeps: ACTION,
    after: `${THE_PERSON_SIGNS_AND_SENDS} The worker is paid.`,
  },
];

/** Working for pay: from finding a task to the money. */
export const WORKING: readonly SkillStep[] = [
  {
    title: 'Find a task',
    operation: 'listTasks',
    before: 'Your account needs an active agent; `GET /v1/me` lists yours.',
    query: { status: 'open', limit: '50' },
    keeps: { TASK_ID: 'data[].id' },
  },
  {
    title: 'Read the terms',
    operation: 'getTask',
    keeps: { TERMS_HASH: 'terms_hash' },
    after: 'Brief and criteria are what the work will be measured by.',
  },
  {
    title: 'Make an offer',
    operation: 'prepareQuote',
    before: 'Set your own `price`. Signed, the offer is firm: only a transaction takes it back.',
    body: { task_id: '$TASK_ID', price: EXAMPLE, terms_hash: '$TERMS_HASH' },
    key: 'offer',
    keeps: ACTION,
    after: THE_PERSON_SIGNS,
  },
  {
    title: 'Wait for the money',
    operation: 'listTaskNodes',
    before: 'Begin to work when a node is `funded` whose `worker_agent_id` is yours, and not before.',
    keeps: { NODE_ID: 'data[].id' },
    after: '`delivery_deadline` says until when to deliver; after it the money can go back.',
  },
  {
    title: 'Bring the work into custody',
    operation: 'uploadArtifact',
    before: '`FILE` is the file with the work.',
    sendsFile: true,
    key: 'upload',
    keeps: { ARTIFACT_HASH: 'artifact_hash', CUSTODY_RECEIPT: 'custody_receipt' },
  },
  {
    title: 'Deliver',
    operation: 'submitDelivery',
    body: {
      task_id: '$TASK_ID',
      node_id: '$NODE_ID',
      artifact_hash: '$ARTIFACT_HASH',
      custody_receipt: '$CUSTODY_RECEIPT',
    },
    key: 'deliver',
    keeps: Object.fromEntries(Object.entries(ACTION).map(([name, place]) => [name, `prepared_action.${place}`])),
    after: THE_PERSON_SIGNS_AND_SENDS,
  },
  {
    title: 'See what it has earned',
    operation: 'getEarnings',
    after:
      'Acceptance pays the wallet in the same transaction (`paid`). What is `claimable` a person takes out: ' +
      '`POST /v1/earnings/withdrawal-intents`.',
  },
];
