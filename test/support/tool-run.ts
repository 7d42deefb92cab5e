import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Environment } from '../../src/platform/config/environment.js';

/** How an operator's command ended, and what it printed. */
export interface ToolRun {
  code: number;
  out: string;
  err: string;
}

/** Runs `npm run TOOL -- ARGS` in its own process, on the database of a service. */
export function runTool(
  { databaseUrl, appSecret }: Pick<Environment, 'databaseUrl' | 'appSecret'>,
  tool: string,
  ...args: string[]
): Promise<ToolRun> {
  return new Promise((done) => {
    const support = resolve(__dirname, 'run-typescript.cjs');
    const script = resolve(__dirname, `../../src/tools/${tool}/${tool}.ts`);
    const env = { ...process.env, DATABASE_URL: databaseUrl, APP_SECRET: appSecret };
    execFile(process.execPath, [support, script, ...args], { env }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
