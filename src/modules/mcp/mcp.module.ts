import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { PreparedActionsModule } from '../prepared-actions/prepared-actions.module.js';
import { SigningModule } from '../signing/signing.module.js';
import { McpController } from './mcp.controller.js';
import { InnerOperations } from './operations/inner-operations.js';
import { SigningEnvelopes } from './results/signing-envelopes.js';
import { McpEndpoint } from './serving/mcp-endpoint.js';
import { McpServerFactory } from './serving/mcp-server-factory.js';
import { ActionWaits } from './tools/action-waits.js';
import { CombinedTools } from './tools/combined-tools.js';
import { OperationTools } from './tools/operation-tools.js';
import { ToolCatalogue } from './tools/tool-catalogue.js';

/** The interface as tools for assistants, by the Model Context Protocol (docs/mcp.md). */
@Module({
  imports: [CredentialsModule, PreparedActionsModule, SigningModule],
  controllers: [McpController],
  providers: [
    ActionWaits,
    CombinedTools,
    InnerOperations,
    McpEndpoint,
    McpServerFactory,
    OperationTools,
    SigningEnvelopes,
    ToolCatalogue,
  ],
})
export class McpModule {}
