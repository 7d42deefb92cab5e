/** Path of the endpoint of the Model Context Protocol, below the base URL. */
export const MCP_PATH = '/mcp';
