import type { FromSchema } from './from-schema.js';
import { bytes, choice, flag, section } from './schema-parts.js';

/** Path of the entrance for agents. In logs, records and metrics, it precedes the path of a call that came through it. */
export const MCP_PATH = '/mcp';

/** Name of the entrance itself, under which metrics and limits count messages that are no tool calls. */
export const MCP_OPERATION = 'mcp.exchange';

/** What becomes of a tool call that may change something. */
const MCP_ACTIONS = ['refused', 'task', 'allowed'] as const;

/** Schema of the key `mcp`. */
export const mcpSchema = section(
  ['MCP', 'Tools for agents (Model Context Protocol, Streamable HTTP) at /mcp.'],
  {
    enabled: flag('Enabled', 'True serves /mcp to callers with a token.', false),
    operations: {
      title: 'Operations',
      description:
        'Operations that are offered as tools, for example orchestrator-manager.restQuery; null: every tool that only reads.',
      type: ['array', 'null'],
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', minLength: 1 },
      default: null,
    },
    adapters: {
      title: 'Adapters',
      description:
        'Adapters whose methods are offered as tools, by adapterId; * matches any number of characters, as in nso*. Methods that may change something follow actions.',
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 256 },
      default: [],
    },
    actions: choice(
      'Actions',
      'Tools that may change something. refused: they are not offered; task: a person approves each call on a task page; allowed: the agent may call them without asking a person.',
      MCP_ACTIONS,
    ),
    hosts: {
      title: 'Hosts',
      description:
        'Host names under which clients reach /mcp, without port. The host of server.publicUrl, localhost and IP addresses are always accepted.',
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: {
        type: 'string',
        pattern: '^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$',
        'x-hint': 'must be a host name without port, for example gatehouse.example.com',
      },
      default: [],
    },
    maxResultBytes: bytes(
      'Result size',
      'Maximum size of the text of a result, in bytes. A longer text is cut, with a hint how to request less.',
      65_536,
    ),
  },
  { default: {}, 'x-restart': true },
);

/** Settings of the entrance for agents: tools of the Model Context Protocol at `/mcp`. */
export type McpSettings = FromSchema<typeof mcpSchema>;
