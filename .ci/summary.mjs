// Adds up the closing lines of jest ("Tests: 3 failed, 40 passed, 43 total") and forge ("… 12 tests passed, 0 failed,
// 0 skipped (12 total tests)") into the one line the forge reads.
import { readFileSync } from 'node:fs';

// Colours are escape sequences; the closing lines are read without them.
// oxlint-disable-next-line no-control-regex
const log = readFileSync(process.argv[2], 'utf8').replaceAll(/\u001b\[[0-9;]*m/g, '');
let passed = 0;
let failed = 0;
for (const [line] of log.matchAll(/^Tests: .*total$/gm)) {
  passed += Number(/(\d+) passed/.exec(line)?.[1] ?? 0);
  failed += Number(/(\d+) failed/.exec(line)?.[1] ?? 0);
}
for (const match of log.matchAll(/^Ran \d+ test suites? .*: (\d+) tests? passed, (\d+) failed/gm)) {
  passed += Number(match[1]);
  failed += Number(match[2]);
}
console.log(`${passed} passed, ${failed} failed`);
