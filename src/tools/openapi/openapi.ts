import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generateDocuments } from './generated-documents.js';

/** Writes `openapi.json` and `asyncapi.json`; with `--check` it only compares and exits 1 when one differs. */
for (const [file, text] of Object.entries(await generateDocuments())) {
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    process.stdout.write(isSame ? `${file} is up to date\n` : `wrote ${file}\n`);
  } else if (!isSame) {
    process.stderr.write(`${file} is not what the program describes: run "npm run openapi" and commit it\n`);
    process.exitCode = 1;
  }
}
