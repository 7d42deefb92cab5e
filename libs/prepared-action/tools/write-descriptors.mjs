// Writes descriptors/*.json from what the program shows (clear-signing/clear-signing.ts). `npm run descriptors` builds first.
import { writeFileSync } from 'node:fs';
import { clearSigningDescriptors } from '../../../dist/libs/prepared-action/src/clear-signing/descriptors.js';

for (const [name, descriptor] of Object.entries(clearSigningDescriptors())) {
  writeFileSync(new URL(`../descriptors/${name}`, import.meta.url), `${JSON.stringify(descriptor, null, 2)}\n`);
}
