import process, { stderr } from 'node:process';
import { LocalFault, messageOf, systemCode } from '../processes/local-fault.js';

/**
 * Runs an evaluation to its exit code: 0 and 1 are its verdict; 2 says in one sentence that it could not begin, because of
 * its data or its command line.
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
