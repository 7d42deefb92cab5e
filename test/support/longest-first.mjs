import Sequencer from '@jest/test-sequencer';

/** In the order of how long a spec of theirs takes. */
const PROJECTS = ['e2e', 'integration', 'unit'];
const placeOf = ({ context }) => PROJECTS.indexOf(context.config.displayName.name);

/**
 * Starts what takes longest first, so that no worker is left alone with it at the end. In a fresh clone jest knows sizes of
 * files only, and the longest specs are short files.
 */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }
}
