// `npm run sdk:types`. With `--check` it writes nothing and ends with 1 when the file is not what the documents say.
import { readFileSync, writeFileSync } from 'node:fs';
import { interfaceTypes, TARGET } from './interface-types.mjs';

const text = await interfaceTypes();
if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
else if (readFileSync(TARGET, 'utf8') !== text) process.exitCode = 1;
