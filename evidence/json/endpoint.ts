import { startHttpTestServer, TOKENS } from '../../test/support/http-server.js';
import type { Takes } from './measure.js';

const BODY_BYTES = 1_000_000;

/**
 * Opens a server that receives each document as the body of a request; `takes` reports whether it was
 * accepted as JSON.
 */
export async function openJsonEndpoint(): Promise<{ readonly takes: Takes; close(): Promise<void> }> {
  const testServer = await startHttpTestServer({
    limits: { bodyBytes: BODY_BYTES },
    deps: { bodyBytes: BODY_BYTES },
  });
  return {
    async takes(bytes) {
      const reply = await fetch(`${testServer.url}/demo/things`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKENS.admin}`, 'content-type': 'application/json' },
        body: new Uint8Array(bytes),
      });
      const { code } = (await reply.json()) as { readonly code?: string };
      // Valid JSON may still be an invalid body of the operation.
      if (reply.status === 200 || code === 'invalid_request') return true;
      // A document with more members than the operation takes is refused before it is read.
      if (code === 'invalid_json' || code === 'body_too_large') return false;
      throw new Error(`${reply.status} ${code ?? ''}`);
    },
    close: testServer.close,
  };
}
