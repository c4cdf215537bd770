import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AdapterSettings } from '../../core/adapter-settings.js';
import { headerOf, type OutboundRequest, type UpstreamReply } from '../../core/adapter.js';
import type { Log } from '../../core/log.js';
import type { Redact } from '../../core/redactor.js';
import type { Send } from '../send.js';
import type { Endpoints } from '../endpoint.js';
import { type Recording, recordingFile } from './recording.js';
import { scrubBody, scrubPath } from './scrub.js';

/** Reply headers that are relevant to plugins or callers and contain no secrets. */
const HEADERS = ['content-type', 'etag', 'last-modified', 'location'];
/** Maximum number of different calls recorded by one instance. */
const MOST = 10_000;

export interface RecorderDeps {
  readonly redact: Redact;
  readonly log: Log;
}

/**
 * Wraps `send` so that each reply is stored in a file before it is returned; the latest reply of a call
 * replaces earlier ones. Recordings contain no request headers and no cookies; paths and bodies are stored
 * without known secrets and without values of secret names. A file that cannot be written is logged and does
 * not fail the call.
 */
export function withRecording(
  settings: AdapterSettings,
  endpoints: Endpoints,
  deps: RecorderDeps,
): (next: Send) => Send {
  const { record, recordings } = settings;
  if (!record) return (next) => next;
  const files = new Set<string>();
  async function keep(request: OutboundRequest, reply: UpstreamReply): Promise<void> {
    const { method } = request;
    const path = scrubPath(request.path, deps.redact);
    const file = recordingFile(recordings, endpoints[0].base, { method, path });
    if (files.size >= MOST && !files.has(file)) return;
    files.add(file);
    try {
      const text = recordingText({ method, path }, reply, deps.redact);
      if (text === undefined) deps.log.warn('reply not recorded: it is not text', { path });
      else await writeWhole(file, text);
    } catch (error) {
      deps.log.warn('reply not recorded', { error });
    }
  }
  return (next) => async (call) => {
    const reply = await next(call);
    await keep(call.request, reply);
    return reply;
  };
}

/**
 * Returns the text of a recording; `undefined` for a body that is not UTF-8, because it cannot be scrubbed.
 */
function recordingText(
  request: Recording['request'],
  reply: UpstreamReply,
  redact: Redact,
): string | undefined {
  const body = reply.body.toString('utf8');
  if (!Buffer.from(body).equals(reply.body)) return undefined;
  const headers = HEADERS.flatMap((name) => {
    const value = headerOf(reply.headers, name);
    return value === undefined ? [] : [[name, scrubPath(value, redact)] as const];
  });
  const recording: Recording = {
    request,
    reply: { status: reply.status, headers: Object.fromEntries(headers), body: scrubBody(body, redact) },
  };
  return `${JSON.stringify(recording, null, 2)}\n`;
}

/** Writes a file atomically, so that no reader sees a partial recording. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
