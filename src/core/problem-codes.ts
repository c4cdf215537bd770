/** One row of the list of failures that a caller may see. */
interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Next step for the caller, in one sentence. */
  readonly recommendation: string;
}

/**
 * All codes that an answer can have, each with its HTTP status. A test compares the guide to errors with this
 * table.
 */
export const PROBLEMS = {
  invalid_json: kind(400, 'Invalid JSON', 'Send one well-formed UTF-8 JSON document.'),
  malformed_request: kind(
    400,
    'Malformed request',
    'Send a well-formed HTTP/1.1 request, with one valid Host header.',
  ),
  invalid_request: kind(
    400,
    'Invalid request',
    'Correct the fields named in "errors" and send the request again.',
  ),
  invalid_path: kind(
    400,
    'Path refused',
    "Send a path below the adapter's base URL, with reserved characters percent-encoded.",
  ),
  invalid_uri: kind(400, 'URI refused', 'Send an absolute http or https URI without credentials in it.'),
  invalid_header: kind(
    400,
    'Header refused',
    'Leave out the headers named in "errors"; the proxy sets them itself.',
  ),
  schema_invalid: kind(
    400,
    'The JSON Schema cannot be used',
    'Correct the schema at the places in "errors".',
  ),
  invalid_credentials: kind(
    401,
    'The name or the password is wrong',
    'Correct them; after too many wrong ones the name is locked for a while.',
  ),
  invalid_grant_request: kind(
    400,
    'The token request cannot be used',
    'Send grant_type=client_credentials, client_id and client_secret as a form.',
  ),
  unauthorized: kind(401, 'Unauthorized', 'Send a valid token as "Authorization: Bearer <token>".'),
  forbidden: kind(403, 'Forbidden', 'Ask for a token with one of the roles named in "detail".'),
  csrf_refused: kind(
    403,
    'The page may not send this',
    'Send "x-gatehouse-csrf: 1" with what a page of this server changes; pages of other sites may change nothing.',
  ),
  yang_invalid: kind(400, 'The YANG cannot be compiled', 'Correct the texts at the places in "errors".'),
  adapter_forbidden: kind(
    403,
    'Not allowed through this adapter',
    "Ask the operator to admit the call in the adapter's access rules.",
  ),
  egress_denied: kind(
    403,
    'Destination not allowed',
    'Ask the operator to name the destination in egress.allow.',
  ),
  not_found: kind(404, 'Not found', 'Compare the path and the method with the API description.'),
  adapter_not_found: kind(404, 'No such adapter', 'Use the name of a configured adapter.'),
  application_not_found: kind(404, 'No such application', 'Use a name of GET /applications.'),
  profile_not_found: kind(404, 'No such profile', 'Use the id of a profile of GET /profiles.'),
  form_not_found: kind(404, 'No such form', 'Use the id or the name of a form.'),
  task_not_found: kind(404, 'No such task', 'Use the id of a task of GET /json-forms/tasks.'),
  method_not_allowed: kind(405, 'Method not allowed', 'Use one of the methods of the Allow header.'),
  form_name_taken: kind(409, 'The name is taken', 'Choose another name, or change the form that has it.'),
  too_many_forms: kind(409, 'Too many forms', 'Delete forms, or ask the operator to raise forms.maxForms.'),
  task_finished: kind(409, 'The task is finished', 'Read its outcome; open another task to ask again.'),
  too_many_tasks: kind(
    409,
    'Too many open tasks',
    'Finish tasks that are open, or ask the operator to raise forms.tasks.maxTasks.',
  ),
  name_taken: kind(409, 'The name is taken', 'Choose another name, or change what has it.'),
  adapter_in_file: kind(
    409,
    'The adapter stands in a file',
    'Change the file that "detail" names; a change is live a moment later.',
  ),
  profile_active: kind(409, 'The profile is active', 'Make another profile active, and try again.'),
  operation_removed: kind(
    410,
    'The operation was removed',
    'Use what "detail" names in its place; GET /deprecations lists all such operations.',
  ),
  precondition_failed: kind(
    412,
    'It was changed meanwhile',
    'Read it again, and send your change with the new ETag in If-Match.',
  ),
  body_too_large: kind(
    413,
    'Body too large',
    'Send a smaller body, or ask the operator to raise server.limits.bodyBytes.',
  ),
  uri_too_long: kind(414, 'URI too long', 'Send a shorter request target.'),
  unsupported_media_type: kind(
    415,
    'Unsupported media type',
    'Send the body as application/json, not compressed.',
  ),
  too_many_requests: kind(429, 'Too many requests', 'Wait as long as the Retry-After header says.'),
  schema_too_costly: kind(
    422,
    'The JSON Schema costs too much',
    'Send a simpler schema or less data, or ask the operator to raise forms.validateTimeoutMs.',
  ),
  form_data_invalid: kind(
    422,
    'The data does not fit the form',
    'Correct the data at the places in "errors" and send it again.',
  ),
  yang_too_costly: kind(
    422,
    'The YANG costs too much',
    'Send fewer or smaller modules, or convert them with the command "gatehouse yang".',
  ),
  caller_gone: kind(499, 'The caller left', 'Nothing to do: nobody reads this answer.'),
  internal: kind(500, 'Internal error', 'Report the requestId to the operator; the log holds the cause.'),
  upstream_failed: kind(
    502,
    'The orchestrator failed',
    'Read "upstream" for what the orchestrator answered.',
  ),
  upstream_rejected: kind(
    400,
    'The orchestrator refused the request',
    'Read "upstream" for what the orchestrator answered.',
  ),
  upstream_auth: kind(
    502,
    "The orchestrator refused the adapter's credentials",
    "Ask the operator to check the adapter's credentials.",
  ),
  upstream_unreachable: kind(
    502,
    'The target cannot be reached',
    'Check that the target is up and that its address is right.',
  ),
  upstream_bad_reply: kind(
    502,
    'The target answered something that is not HTTP',
    'Check what listens at the target address.',
  ),
  upstream_too_large: kind(
    502,
    'The reply is too large',
    'Ask for less data, or ask the operator to raise the reply limit.',
  ),
  upstream_timeout: kind(
    504,
    'The target did not answer in time',
    'Try again later, or ask the operator to raise the time-out.',
  ),
  upstream_busy: kind(
    503,
    'Too many calls to this orchestrator',
    'Send fewer calls at a time; try again after the seconds of Retry-After. Nothing was sent.',
  ),
  upstream_suspended: kind(
    503,
    'Circuit breaker open',
    'Try again after the seconds of Retry-After; the orchestrator failed too often. Nothing was sent.',
  ),
  stub_missing: kind(
    502,
    'No recorded reply',
    'Record a reply for this call, or switch the stub mode of the adapter off.',
  ),
  adapter_unavailable: kind(
    503,
    'The adapter is not running',
    'Read "detail" for the reason; the operator can repair it.',
  ),
  application_stopped: kind(
    503,
    'The application is stopped',
    'Ask an operator to start the application; the state of all is at GET /health/applications.',
  ),
  adapter_suspended: kind(
    503,
    'The adapter is suspended',
    'Try again later: an operator suspended the adapter and can start it. Nothing was sent.',
  ),
  adapter_secret_unavailable: kind(
    503,
    'A secret of the adapter is not available',
    'Ask the operator to check Vault; the log names the reference.',
  ),
  vault_unavailable: kind(
    503,
    'Vault is not available',
    'Try again later: a secret that you sent has to be written to Vault.',
  ),
  vault_refused: kind(
    502,
    'Vault did not take the secret',
    'Ask the operator to repair what the log names, or put the secret into Vault and send a reference.',
  ),
  overloaded: kind(
    503,
    'The server has too much to do',
    'Try again after the seconds of Retry-After. Nothing was done.',
  ),
  not_ready: kind(
    503,
    'Not ready',
    'Send calls to another instance; the operator can repair what "detail" names.',
  ),
  too_many_listeners: kind(
    503,
    'Too many listen for events',
    'Try again after the seconds of Retry-After, or ask anew every few seconds instead.',
  ),
  login_busy: kind(503, 'Too many log-ins at a time', 'Try again after the seconds of Retry-After.'),
  validation_busy: kind(503, 'Too many validations at a time', 'Try again later.'),
  store_unavailable: kind(
    503,
    'The database is not available',
    'Look whether the change was carried out, and send it again later.',
  ),
  store_full: kind(507, 'The database is full', 'Ask the operator to make room for the database.'),
  not_taken_up: kind(
    500,
    'Kept, and not live',
    'Correct what "detail" names: what was asked for is kept, and goes live with it.',
  ),
  audit_unavailable: kind(
    503,
    'The audit trail cannot be written',
    'Ask the operator to make room for the audit trail.',
  ),
} as const satisfies Record<string, ProblemKind>;

/** Code of a problem. */
export type ProblemCode = keyof typeof PROBLEMS;

function kind(status: number, title: string, recommendation: string): ProblemKind {
  return { status, title, recommendation };
}
