import { MCP_ACTIONS } from '../core/mcp-settings.js';
import type { JsonSchema } from '../core/schema.js';
import { bytes, choice, flag, section } from './schema-parts.js';

/** Schema of the key `mcp`. */
export const mcpSchema: JsonSchema = section(
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
    actions: choice(
      'Actions',
      'Tools that may change something. refused: they are not offered; task: a person approves each call on a task page; allowed: the agent may call them without asking a person.',
      [...MCP_ACTIONS],
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
);
