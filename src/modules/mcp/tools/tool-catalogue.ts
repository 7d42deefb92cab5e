import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import type { DescribedOperation } from '../operations/described-operation.js';
import { CombinedTools, type OperationOf } from './combined-tools.js';
import type { McpTool } from './mcp-tool.js';
import { OperationTools } from './operation-tools.js';
import { OPERATION_TOOLS } from './tool-table.js';

/** Every tool of this deployment. */
@Injectable()
export class ToolCatalogue {
  private tools: readonly McpTool[] = [];

  constructor(
    private readonly environment: Environment,
    private readonly single: OperationTools,
    private readonly combined: CombinedTools,
  ) {}

  /**
   * Makes the tools from the operations of the running service, once, at its start.
   * @throws Error for a tool whose operation is not among them.
   */
  load(operations: ReadonlyMap<string, DescribedOperation>): void {
    const operationOf: OperationOf = (id) => {
      const operation = operations.get(id);
      if (operation === undefined) throw new Error(`The document has no operation ${id}, which a tool needs`);
      return operation;
    };
    const all = [
      ...this.combined.toolsOf(operationOf),
      ...OPERATION_TOOLS.map((tool) => this.single.toolOf(tool, operationOf(tool.operation))),
    ];
    const isOffered = (tool: McpTool) =>
      this.environment.mcpTools === 'all' || tool.definition.annotations?.readOnlyHint === true;
    this.tools = all.filter(isOffered);
  }

  /** The tools that a caller with these scopes sees. */
  listedFor(scopes: readonly string[]): McpTool[] {
    return this.tools.filter(({ scope }) => scopes.includes(scope));
  }

  /** A tool by its name, whatever its scope: the operation behind it names the scope that a caller lacks. */
  named(name: string): McpTool | undefined {
    return this.tools.find(({ definition }) => definition.name === name);
  }
}
