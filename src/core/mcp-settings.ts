/** Path of the entrance for agents. In logs, records and metrics, it precedes the path of a call that came through it. */
export const MCP_PATH = '/mcp';

/** Name of the entrance itself, under which metrics and limits count messages that are no tool calls. */
export const MCP_OPERATION = 'mcp.exchange';

/** What becomes of a tool call that may change something. */
export const MCP_ACTIONS = ['refused', 'task', 'allowed'] as const;

/** Settings of the entrance for agents: tools of the Model Context Protocol at `/mcp`. */
export interface McpSettings {
  readonly enabled: boolean;
  /** Names of the operations that are offered as tools; null: every tool that only reads. */
  readonly operations: readonly string[] | null;
  readonly actions: (typeof MCP_ACTIONS)[number];
  /** Host names under which clients reach `/mcp`, in addition to that of `server.publicUrl`. */
  readonly hosts: readonly string[];
  /** Maximum size of the text of a result; the rest is cut off. */
  readonly maxResultBytes: number;
}
