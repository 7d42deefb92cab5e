import type { Description, DescriptionFacts } from '../document/prepared-action.js';
import type { MessageReader } from './message-reader.js';

/** A description without what all have in common: no box, and the worst case without the words that it begins with. */
export type Described = Omit<Description, 'mustConfirm'> & Partial<Pick<Description, 'mustConfirm'>>;

export type Describer = (message: MessageReader, facts: DescriptionFacts) => Described;
