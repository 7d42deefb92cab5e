import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { AUDIT_USAGE, parseAuditArguments } from './audit-arguments.js';
import { AuditArchive } from './audit-archive.js';
import { AuditExport } from './audit-export.js';

/** `npm run audit -- …`: hands the audit to other programs, and its old months to files. */
void runOperatorTool(
  {
    usage: AUDIT_USAGE,
    parse: parseAuditArguments,
    run: (command, dataSource, environment) =>
      command.name === 'archive'
        ? new AuditArchive(dataSource, environment).run(command)
        : new AuditExport(dataSource, process.stdout).run(command),
  },
  process.argv.slice(2),
);
