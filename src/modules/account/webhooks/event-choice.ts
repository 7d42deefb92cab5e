import { EVENT_TYPES } from '../../events/catalogue/event-types.js';
import type { EventType } from '../../events/catalogue/event.js';

/** What the types of events are grouped by for a person, in the order in which they are shown. */
const GROUPS = {
  tasks: 'Tasks',
  offers: 'Offers',
  work: 'Jobs and deliveries',
  money: 'Money and receipts',
  agents: 'Agents',
  requests: 'Requests to sign',
  access: 'Access to your account',
  chain: 'Replaced blocks',
} as const;
type GroupName = keyof typeof GROUPS;

/** What a type is about: the part of its name before the dot. */
type Area<T extends string = EventType> = T extends `${infer A}.${string}` ? A : never;

/** The group of each area; the compiler asks for a new one. */
const GROUP_OF: Readonly<Record<Area, GroupName>> = {
  task: 'tasks',
  quote: 'offers',
  node: 'work',
  delivery: 'work',
  earnings: 'money',
  refund: 'money',
  receipt: 'money',
  agent: 'agents',
  reputation: 'agents',
  action: 'requests',
  app: 'access',
  api_key: 'access',
  wallet: 'access',
  webhook_endpoint: 'access',
  chain: 'chain',
};

/** Goes to the tested endpoint whatever its types are, so nobody chooses it. */
const NOT_CHOSEN: readonly EventType[] = ['webhook_endpoint.test'];

/** Types of events that a person chooses together. */
export interface EventChoice {
  readonly group: string;
  readonly title: string;
  readonly types: readonly EventType[];
}

/** All groups, each with its types; a type is in exactly one. */
export const EVENT_CHOICES: readonly EventChoice[] = (Object.keys(GROUPS) as GroupName[]).map((group) => ({
  group,
  title: GROUPS[group],
  types: EVENT_TYPES.filter((type) => groupOf(type) === group && !NOT_CHOSEN.includes(type)),
}));

/** The types of a group; undefined when there is no such group. */
export function typesOfGroup(group: string): readonly string[] | undefined {
  return EVENT_CHOICES.find((choice) => choice.group === group)?.types;
}

/** True when all types of the group are among these. */
export function isWhole({ types }: EventChoice, chosen: ReadonlySet<string>): boolean {
  return types.every((type) => chosen.has(type));
}

function groupOf(type: EventType): GroupName {
  const [area] = type.split('.') as [Area];
  return GROUP_OF[area];
}
