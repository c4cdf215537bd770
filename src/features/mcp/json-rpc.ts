import type { McpReply } from './exchange-message.js';

/** An error of JSON-RPC (JSON-RPC 2.0 section 5.1) with the status of its response. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** Codes of JSON-RPC 2.0 section 5.1. The codes from -32000 to -32099 are for servers. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  forbidden: -32_003,
} as const;

/** Returns the response to a message with this id; an id that is neither a text nor a number becomes null. */
export function errorReply({ status, code, message }: RpcError, id: unknown): McpReply {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const body = { jsonrpc: '2.0', id: known, error: { code, message } };
  return { status, contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
}
