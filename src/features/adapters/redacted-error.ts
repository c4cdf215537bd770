import type { UpstreamReply } from '../../core/adapter.js';
import { upstreamErrorOf } from '../../core/decode-reply.js';
import { Problem } from '../../core/problem.js';
import type { Upstream } from '../../core/upstream.js';

type RedactReply = NonNullable<Upstream['redactReply']>;

/**
 * Returns an error without the adapter's own credentials in its detail and in the reply of the orchestrator that it contains.
 * Returns an error that is no Problem unchanged, because callers never see it.
 */
export async function redactedError(error: unknown, redactReply: RedactReply): Promise<unknown> {
  if (!(error instanceof Problem)) return error;
  const { upstream, ...extras } = error.extras;
  const detail = (await redactReply(replyWith(error.message, 'text/plain'))).body.toString();
  return new Problem(error.code, detail, {
    ...extras,
    status: error.status,
    ...(upstream && { upstream: { ...upstream, body: await redactedBody(upstream.body, redactReply) } }),
  });
}

async function redactedBody(body: unknown, redactReply: RedactReply): Promise<unknown> {
  if (body === undefined) return body;
  if (typeof body === 'string') return (await redactReply(replyWith(body, 'text/plain'))).body.toString();
  return upstreamErrorOf(await redactReply(replyWith(JSON.stringify(body), 'application/json')));
}

function replyWith(text: string, contentType: string): UpstreamReply {
  return { status: 200, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}
