import process, { stderr } from 'node:process';
import { LocalFault, messageOf, systemCode } from '../processes/local-fault.js';

/**
 * Runs an evaluation and sets the exit code: 0 or 1 as the evaluation returns; 2, with one sentence on stderr, when its
 * data or command line is not usable.
 */
export async function runEvaluation(evaluate: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await evaluate();
  } catch (error) {
    if (!(error instanceof LocalFault) && !systemCode(error).startsWith('ERR_PARSE_ARGS')) throw error;
    stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 2;
  }
}
