import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { headerOf, type OutboundRequest, type UpstreamReply } from '../../core/adapter.js';
import type { Log } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import type { Redact } from '../../core/secret.js';
import type { Upstream } from '../../core/upstream.js';
import { valueAt } from '../../json/pointer.js';
import { readStoredJson } from '../../json/strict-json.js';
import { jsonText } from '../../json/write-json.js';
import { createFolder } from '../../lib/create-folder.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import type { ValidateRequest } from '../build-request.js';
import type { Endpoints } from '../endpoint.js';
import type { Layer } from '../send.js';
import type { BaseUrl } from '../target.js';
import { scrubBody, scrubPath } from './scrub.js';

/**
 * A recorded reply as stored in its file. A recording may also be written in an editor, with `json` instead of `body`.
 */
interface Recording {
  /** For people only; the file name determines which call a reply belongs to. */
  readonly request: { readonly method: string; readonly path: string };
  readonly reply: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly json?: unknown;
  };
}

/** Reply headers that are relevant to plugins or callers and contain no secrets. */
const RECORDED_HEADERS = ['content-type', 'etag', 'last-modified', 'location'];

/** Maximum number of different calls recorded by one instance. */
const MAX_RECORDINGS = 10_000;

interface RecorderDeps {
  readonly redact: Redact;
  readonly log: Log;
}

/**
 * Creates the layer that stores each reply in a file before it is returned; the latest reply of a call
 * replaces earlier ones. Recordings contain no request headers and no cookies; paths and bodies are stored
 * without known secrets and without values of secret names. A file that cannot be written is logged and does
 * not fail the call.
 */
export function createRecorder(
  { recordings }: AdapterSettings,
  endpoints: Endpoints,
  deps: RecorderDeps,
): Layer {
  const files = new Set<string>();
  async function save(request: OutboundRequest, reply: UpstreamReply): Promise<void> {
    const { method } = request;
    const path = scrubPath(request.path, deps.redact);
    const file = recordingFile(recordings, endpoints[0].base, { method, path });
    if (files.size >= MAX_RECORDINGS && !files.has(file)) return;
    files.add(file);
    try {
      const text = recordingText({ method, path }, reply, deps.redact);
      if (text === undefined) deps.log.warn('reply not recorded: it is not text', { path });
      else await writeAtomically(file, text);
    } catch (error) {
      deps.log.warn('reply not recorded', { error });
    }
  }
  return async (call, next) => {
    const reply = await next(call);
    await save(call.request, reply);
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
  const headers = RECORDED_HEADERS.flatMap((name) => {
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
async function writeAtomically(file: string, text: string): Promise<void> {
  createFolder(dirname(file), 0o700);
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export interface StubDeps extends Pick<Required<Upstream>, 'callerHeaders' | 'linkedPath'> {
  readonly validate: ValidateRequest;
  /** Removes the same secrets from a path as during recording. */
  readonly redact: Redact;
}

/**
 * Creates a stub that replays recorded replies and never sends requests. Throws `stub_missing` for a call
 * without a recording, and `invalid_path` like the real client.
 */
export function openStub(
  { recordings }: AdapterSettings,
  endpoints: Endpoints,
  { validate, callerHeaders, linkedPath, redact }: StubDeps,
): Upstream {
  return {
    callerHeaders,
    linkedPath,
    async send(request, signal) {
      validate(request);
      const path = scrubPath(request.path, redact);
      const file = recordingFile(recordings, endpoints[0].base, { method: request.method, path });
      const text = await readRecording(file, `${request.method} ${path.split('?', 1)[0] ?? ''}`);
      if (signal.aborted) throw new Problem('caller_gone', 'the caller left before the reply was complete');
      return parseStored(text);
    },
    close: () => Promise.resolve(),
  };
}

async function readRecording(file: string, call: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Problem('stub_missing', `the adapter is a stub, and no reply is recorded for ${call}`, {
      cause,
    });
  }
}

function parseStored(text: string): ReturnType<typeof parseRecording> {
  try {
    return parseRecording(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    throw new Problem('stub_missing', `the recorded reply cannot be used: ${why}`);
  }
}

/** Maximum length of the readable part of a file name, in characters. */
const MAX_SLUG_LENGTH = 60;

/**
 * Returns the file for a request's reply: in the recordings folder, a folder for the host and a name with the
 * method, the path, and a hash of method, path and query. The request body is ignored; the path must not
 * contain secrets.
 */
export function recordingFile(folder: string, base: BaseUrl, { method, path }: Recording['request']): string {
  const host = base.origin.replace(/^https?:\/\//, '').replaceAll(/[^A-Za-z0-9.-]/g, '_');
  const location = base.path + path;
  const slug = (location.split('?', 1)[0] ?? '').replaceAll(/[^A-Za-z0-9-]+/g, '_').replace(/^_/, '');
  const hash = createHash('sha256').update(`${method} ${location}`).digest('hex').slice(0, 12);
  return join(folder, host, `${method}_${slug.slice(0, MAX_SLUG_LENGTH)}_${hash}.json`);
}

/** Parses the reply of a recording. Throws an `Error` that describes the fault. */
export function parseRecording(text: string): UpstreamReply {
  const document = readStoredJson(text);
  const status = valueAt(document, '/reply/status');
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new Error('it has no "reply" with a "status" from 200 to 599');
  const body = valueAt(document, '/reply/body');
  const json = valueAt(document, '/reply/json');
  const isJson = typeof body !== 'string' && json !== undefined;
  return {
    status,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...headersOf(valueAt(document, '/reply/headers')),
    },
    body: Buffer.from(isJson ? jsonText(json) : typeof body === 'string' ? body : ''),
  };
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(headers ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name.toLowerCase(), value as string]));
}
