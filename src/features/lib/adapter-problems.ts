import type { ProblemCode } from '../../core/problem-codes.js';

/** Problems of every operation that sends a request to an orchestrator through an adapter. */
export const ADAPTER_CALL_PROBLEMS = [
  'invalid_path',
  'adapter_forbidden',
  'egress_denied',
  'adapter_not_found',
  'upstream_rejected',
  'plugin_failed',
  'upstream_failed',
  'upstream_auth',
  'upstream_unreachable',
  'upstream_bad_reply',
  'upstream_too_large',
  'stub_missing',
  'upstream_busy',
  'upstream_suspended',
  'adapter_unavailable',
  'adapter_suspended',
  'upstream_timeout',
] as const satisfies readonly ProblemCode[];

/** Maximum number of repetitions of a call, each with newer credentials than those that the orchestrator refused. */
export const MAX_REPETITIONS = 3;
