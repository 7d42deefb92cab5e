import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Environment } from '../../src/platform/config/environment.js';

/** How an operator's command ended, and what it printed. */
export interface ToolRun {
  code: number;
  out: string;
  err: string;
}

/** Runs `npm run TOOL -- ARGS`, as it is built, in its own process, on the database of a service. */
export function runTool(
  { databaseUrl, appSecret }: Pick<Environment, 'databaseUrl' | 'appSecret'>,
  tool: string,
  ...args: string[]
): Promise<ToolRun> {
  return runToolWith({ DATABASE_URL: databaseUrl, APP_SECRET: appSecret }, tool, ...args);
}

/** The same with these variables. It gets no database and no secret that they do not name. */
export function runToolWith(
  variables: Record<string, string>,
  tool: string,
  ...args: readonly string[]
): Promise<ToolRun> {
  const { DATABASE_URL: _, APP_SECRET: __, ...others } = process.env;
  const script = resolve(__dirname, `../../dist/service/tools/${tool}.js`);
  return new Promise((done) =>
    execFile(process.execPath, [script, ...args], { env: { ...others, ...variables } }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    ),
  );
}
