import type { ApiProblem } from '../api/problem.js';
import { type PlainKeyOf, textOf } from '../text/text.js';

const text = textOf('problems');

/**
 * Problems whose recommendation is for programs ("send the new ETag in If-Match"): the message for people instead.
 */
const FOR_PEOPLE: Readonly<Record<string, PlainKeyOf<'problems'>>> = {
  adapter_method_not_found: 'fix.adapter_method_not_found',
  adapter_not_found: 'fix.adapter_not_found',
  application_stopped: 'fix.application_stopped',
  application_not_found: 'fix.not_found',
  confirmation_pending: 'fix.confirmation_pending',
  csrf_refused: 'fix.csrf_refused',
  egress_busy: 'fix.later',
  form_data_invalid: 'fix.marked',
  form_not_found: 'fix.form_not_found',
  invalid_credentials: 'fix.invalid_credentials',
  invalid_grant_request: 'fix.marked',
  invalid_header: 'fix.marked',
  invalid_json: 'fix.invalid_json',
  invalid_request: 'fix.marked',
  issuer_unavailable: 'fix.later',
  login_busy: 'fix.later',
  method_not_allowed: 'fix.not_found',
  mute_not_found: 'fix.gone',
  not_found: 'fix.not_found',
  operation_removed: 'fix.not_found',
  overloaded: 'fix.later',
  precondition_failed: 'fix.precondition_failed',
  problem_not_found: 'fix.gone',
  profile_not_found: 'fix.profile_not_found',
  receiver_not_found: 'fix.gone',
  schema_invalid: 'fix.marked',
  store_unavailable: 'fix.store_unavailable',
  task_not_found: 'fix.task_not_found',
  too_many_listeners: 'fix.later',
  too_many_requests: 'fix.later',
  unauthorized: 'fix.unauthorized',
  unreachable: 'fix.unreachable',
  unsupported_media_type: 'fix.not_found',
  upstream_busy: 'fix.later',
  upstream_failed: 'fix.upstream',
  upstream_rejected: 'fix.upstream',
  upstream_suspended: 'fix.later',
  validation_busy: 'fix.later',
  version_not_found: 'fix.version_not_found',
  yang_invalid: 'fix.marked',
};

/** Returns what a person does next after a failed request; `undefined` if nothing is known. */
export function recommendationFor({ code, recommendation }: ApiProblem): string | undefined {
  const key = FOR_PEOPLE[code];
  return key === undefined ? recommendation : text(key);
}
