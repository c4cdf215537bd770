import { type JudgeOptions, openJudge, type OpenJudge } from '../caller-schema/open-judge.js';

/** Makes a judge of callers' schemas whose threads have our own engine. */
export function openSchemaJudge(options: Omit<JudgeOptions, 'thread'>): OpenJudge {
  return openJudge({ ...options, thread: new URL('./judge-thread.js', import.meta.url) });
}
