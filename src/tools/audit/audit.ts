import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { AUDIT_USAGE, parseAuditArguments } from './audit-arguments.js';
import { AuditExport } from './audit-export.js';

/** `npm run audit -- …`: hands the audit to other programs. */
void runOperatorTool(
  {
    usage: AUDIT_USAGE,
    parse: parseAuditArguments,
    run: (command, dataSource) => new AuditExport(dataSource, process.stdout).run(command),
  },
  process.argv.slice(2),
);
