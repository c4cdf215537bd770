import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { request } from 'undici';
import type { CallOptions } from './call.js';
import { keepOutput } from './leak-scan.js';

interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
}

/** A tool as a client sees it. */
interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  readonly inputSchema: object;
}

/** Result of a tool call. */
interface McpResult {
  readonly isError: boolean;
  readonly texts: readonly string[];
}

/** A client of the SDK that is connected to gatehouse. */
export interface McpClient {
  readonly protocol: string | undefined;
  readonly list: () => Promise<readonly ListedTool[]>;
  readonly call: (name: string, sent: Record<string, unknown>) => Promise<McpResult>;
  readonly close: () => Promise<void>;
}

export type ConnectMcp = (url: string, token: string) => Promise<McpClient>;

const CLIENT = { name: 'gatehouse-tests', version: '1.0.0' };

function options(token: string): { readonly requestInit: RequestInit } {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}

function resultOf(result: object): McpResult {
  const { content = [], isError = false } = result as {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
  };
  return { isError, texts: content.map(({ text = '' }) => text) };
}

/** Connects with the revision 2026-07-28, without falling back to an earlier one. */
export const connectLater: ConnectMcp = async (url, token) => {
  const client = new LaterClient(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new LaterTransport(new URL(`${url}/mcp`), options(token));
  await client.connect(transport);
  return {
    protocol: '2026-07-28',
    list: async () => (await client.listTools()).tools,
    call: async (name, sent) => resultOf(await client.callTool({ name, arguments: sent })),
    close: () => client.close(),
  };
};

/** Connects as clients of the revision 2025-11-25 and earlier do: with `initialize`, and a GET for a stream. */
export const connectEarlier: ConnectMcp = async (url, token) => {
  const client = new EarlierClient(CLIENT);
  const transport = new EarlierTransport(new URL(`${url}/mcp`), options(token));
  await client.connect(transport);
  return {
    protocol: transport.protocolVersion,
    list: async () => (await client.listTools()).tools,
    call: async (name, sent) => resultOf(await client.callTool({ name, arguments: sent })),
    close: () => client.close(),
  };
};

/** Sends one message to the entrance for agents without a client, by default with POST. Returns the reply with any status. */
export async function postMcp(url: string, { method = 'POST', token, body, text, headers }: CallOptions) {
  const reply = await request(`${url}/mcp`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: method === 'POST' ? (text ?? JSON.stringify(body)) : null,
  });
  const received = await reply.body.text();
  keepOutput('replies', received);
  return { status: reply.statusCode, headers: reply.headers, text: received };
}
