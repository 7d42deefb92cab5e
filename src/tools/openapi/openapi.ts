import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generateOpenApi } from './generated-document.js';

const FILE = 'openapi.json';

/** Writes the OpenAPI document to `openapi.json`; with `--check` it only compares and exits 1 when they differ. */
const text = await generateOpenApi();
const isSame = existsSync(FILE) && readFileSync(FILE, 'utf8') === text;
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
  process.stdout.write(isSame ? `${FILE} is up to date\n` : `wrote ${FILE}\n`);
} else if (!isSame) {
  process.stderr.write(`${FILE} is not what the program describes: run "npm run openapi" and commit it\n`);
  process.exitCode = 1;
}
