import { readFile } from 'node:fs/promises';
import type { AdapterSettings } from '../../core/adapter-settings.js';
import { Problem } from '../../core/problem.js';
import type { Redact } from '../../core/redactor.js';
import type { Upstream } from '../../core/upstream.js';
import type { ValidateRequest } from '../build-request.js';
import type { Endpoints } from '../endpoint.js';
import { parseRecording, recordingFile } from './recording.js';
import { scrubPath } from './scrub.js';

export interface StubDeps {
  readonly check: ValidateRequest;
  /** Takes out of a path what was taken out of it when the reply was recorded. */
  readonly redact: Redact;
}

/**
 * Answers from recorded replies and never calls out. Throws `stub_missing` for a call without one, and `invalid_path` as
 * the real way does.
 */
export function openStub(
  { recordings, access }: Pick<AdapterSettings, 'recordings' | 'access'>,
  endpoints: Endpoints,
  { check, redact }: StubDeps,
): Upstream {
  return {
    access,
    async send(request, signal) {
      check(request);
      const path = scrubPath(request.path, redact);
      const file = recordingFile(recordings, endpoints[0].base, { method: request.method, path });
      const text = await readRecording(file, `${request.method} ${path.split('?', 1)[0] ?? ''}`);
      if (signal.aborted) throw new Problem('caller_gone', 'the caller left before the reply was complete');
      return parsed(text);
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

function parsed(text: string): ReturnType<typeof parseRecording> {
  try {
    return parseRecording(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    throw new Problem('stub_missing', `the recorded reply cannot be used: ${why}`);
  }
}
