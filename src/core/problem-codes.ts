/** All problem codes of responses. `docs/reference/problems.md` is generated from this table. */
export const PROBLEMS = {
  invalid_json: kind(400, 'Invalid JSON', 'Send one well-formed UTF-8 JSON document.'),
  malformed_request: kind(400, 'Malformed request', 'Send a valid HTTP/1.1 request with one Host header.'),
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
  schema_invalid: kind(400, 'The JSON Schema cannot be used', 'Correct the schema where "errors" says.'),
  invalid_credentials: kind(
    401,
    'The name or the password is wrong',
    'Correct the name and the password; too many wrong passwords lock the name for a while.',
  ),
  invalid_grant_request: kind(
    400,
    'The token request cannot be used',
    'Send grant_type=client_credentials, client_id and client_secret as a form.',
  ),
  unauthorized: kind(
    401,
    'Unauthorized',
    'Send a valid token as "Authorization: Bearer <token>". For a refused token, the header WWW-Authenticate has the reason; curl -i shows it.',
  ),
  logout_token_invalid: kind(
    400,
    'Logout token not accepted',
    'Send a logout token of a configured issuer; the reason is in the log.',
  ),
  forbidden: kind(403, 'Forbidden', 'Ask for a token with one of the roles named in "detail".'),
  csrf_refused: kind(
    403,
    'Cross-site request refused',
    'Send the header "x-gatehouse-csrf: 1" with each change, from a page of this server.',
  ),
  yang_invalid: kind(
    400,
    'The YANG modules cannot be compiled',
    'Correct the texts at the locations in "errors".',
  ),
  adapter_forbidden: kind(
    403,
    'Not allowed through this adapter',
    'Ask the operator for this right: by an access rule of the API, as on the page Access, or by the access rules of the configuration.',
  ),
  requester_excluded: kind(
    403,
    'The requester may not approve',
    'Ask another person who may answer the task to approve it.',
  ),
  binding_not_granted: kind(
    403,
    'The query of the field is not granted',
    'Ask a person who may send queries through this adapter to save the form again.',
  ),
  egress_denied: kind(
    403,
    'Destination not allowed',
    'Ask the operator to name the destination in egress.allow.',
  ),
  not_found: kind(
    404,
    'Not found',
    'Compare the path and the method with the API description, GET /openapi.json.',
  ),
  adapter_not_found: kind(404, 'No such adapter', 'Use the name of a configured adapter.'),
  adapter_method_not_found: kind(
    404,
    'No such method of the adapter',
    'Use the name of a method of GET /adapters/:name/methods.',
  ),
  application_not_found: kind(404, 'No such application', 'Use a name of GET /applications.'),
  profile_not_found: kind(404, 'No such profile', 'Use the id of a profile of GET /profiles.'),
  rule_not_found: kind(404, 'No such rule', 'Use the name of a stored rule that the list shows.'),
  form_not_found: kind(404, 'No such form', 'Use the id or the name of a form.'),
  receiver_not_found: kind(404, 'No such receiver', 'Use the name of a receiver of GET /notifications.'),
  mute_not_found: kind(404, 'No such mute', 'Use the id of a mute of GET /notifications.'),
  problem_not_found: kind(404, 'No such problem', 'Use the id of a problem of GET /console/overview.'),
  notification_failed: kind(502, 'Notification not sent', 'Correct what "detail" names.'),
  task_not_found: kind(404, 'No such task', 'Use the id of a task of GET /json-forms/tasks.'),
  method_not_allowed: kind(405, 'Method not allowed', 'Use one of the methods of the Allow header.'),
  nothing_to_confirm: kind(
    409,
    'No change waits for a confirmation',
    'Read the record: the change was confirmed or undone already.',
  ),
  form_name_taken: kind(409, 'The name is taken', 'Choose another name, or change the form that has it.'),
  too_many_forms: kind(409, 'Too many forms', 'Delete forms, or ask the operator to raise forms.maxForms.'),
  task_finished: kind(409, 'The task is finished', 'Read its outcome; open another task to ask again.'),
  proposal_fixed: kind(409, 'The proposed call is fixed', 'Approve it as it is shown, or reject it.'),
  proposal_outdated: kind(409, 'The proposal is outdated', 'Call the tool again without an approval.'),
  too_many_tasks: kind(
    409,
    'Too many open tasks',
    'Approve or reject open tasks, or ask the operator to raise the limit that "detail" names.',
  ),
  name_taken: kind(409, 'The name is taken', 'Choose another name, or change the record that has this name.'),
  adapter_in_file: kind(
    409,
    'The adapter is defined in a file',
    'Change the file that "detail" names; the change takes effect a moment later.',
  ),
  version_not_found: kind(
    404,
    'No such version',
    'Read the history of the record, and use the revision of a version that it lists.',
  ),
  confirmation_pending: kind(
    409,
    'A change waits for its confirmation',
    'Confirm the change that "detail" names or cancel it, and send the request again.',
  ),
  profile_active: kind(409, 'The profile is active', 'Activate another profile, and try again.'),
  operation_removed: kind(
    410,
    'The operation was removed',
    'Use the replacement that "detail" names; GET /deprecations lists all such operations.',
  ),
  precondition_failed: kind(
    412,
    'The record has changed',
    'Read the record again, and send the change with the new ETag in If-Match.',
  ),
  body_too_large: kind(
    413,
    'Body too large',
    'Send a smaller body, or ask the operator to raise server.limits.bodyBytes (for YANG modules forms.yang.maxBytes).',
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
    'The JSON Schema is too costly',
    'Send a simpler schema or less data, or ask the operator to raise the setting that "detail" names.',
  ),
  form_data_invalid: kind(
    422,
    'The data does not fit the form',
    'Correct the data at the locations in "errors" and send it again.',
  ),
  yang_too_costly: kind(
    422,
    'The YANG modules are too costly',
    'Send fewer or smaller modules, ask the operator to raise the setting of forms.yang that the detail names, or convert them with the command "gatehouse yang".',
  ),
  caller_gone: kind(499, 'The caller left', 'Do nothing: the caller does not receive this answer.'),
  internal: kind(500, 'Internal error', 'Report the requestId to the operator; the log holds the cause.'),
  plugin_failed: kind(
    500,
    'The plugin of the adapter failed',
    'Report the requestId to the operator: the log names the error, which the author of the plugin must correct.',
  ),
  upstream_failed: kind(502, 'The orchestrator failed', 'Read the answer of the orchestrator in "upstream".'),
  upstream_rejected: kind(
    400,
    'The orchestrator refused the request',
    'Read the answer of the orchestrator in "upstream".',
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
    'The target sent an invalid reply',
    'Check which service listens at the target address.',
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
    'Send fewer concurrent calls; try again after the seconds of Retry-After. Nothing was sent.',
  ),
  upstream_suspended: kind(
    503,
    'Circuit breaker open',
    'Try again after the seconds of Retry-After; the orchestrator failed too often. Nothing was sent.',
  ),
  proxy_not_supported: kind(
    400,
    'No pass-through for this adapter',
    'Send restQuery to read, and restAction with "responseBody": true to change something and get the reply.',
  ),
  stub_missing: kind(
    502,
    'No recorded reply',
    'Record a reply for this call, or switch the stub mode of the adapter off.',
  ),
  adapter_unavailable: kind(
    503,
    'The adapter is not running',
    'Read the reason in "detail"; the operator can fix it.',
  ),
  application_stopped: kind(
    503,
    'The application is stopped',
    'Ask an operator to start the application; GET /health/applications lists the states.',
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
    'Try again later: a secret in the request must be written to Vault.',
  ),
  vault_refused: kind(
    502,
    'Vault refused the secret',
    'Ask the operator to fix the error in the log, or write the secret to Vault and send a reference.',
  ),
  egress_busy: kind(
    503,
    'Too many outbound calls',
    'Try again after the seconds of Retry-After. Nothing was sent.',
  ),
  overloaded: kind(503, 'Server overloaded', 'Try again after the seconds of Retry-After. Nothing was done.'),
  not_ready: kind(
    503,
    'Not ready',
    'Send calls to another instance; the operator can fix the fault that "detail" names.',
  ),
  too_many_listeners: kind(
    503,
    'Too many event subscriptions',
    'Try again after the seconds of Retry-After, or poll every few seconds instead.',
  ),
  issuer_unavailable: kind(
    503,
    'Identity provider unavailable',
    'Try again after the seconds of Retry-After. The token stays valid.',
  ),
  login_busy: kind(503, 'Too many concurrent logins', 'Try again after the seconds of Retry-After.'),
  validation_busy: kind(503, 'Too many concurrent validations', 'Try again later.'),
  store_unavailable: kind(
    503,
    'The database is not available',
    'Check whether the change was stored; if it was not, send the request again later.',
  ),
  store_full: kind(507, 'The database is full', 'Ask the operator to free disk space for the database.'),
  not_taken_up: kind(
    500,
    'Change stored but not in effect',
    'Correct the fault that "detail" names; the stored change then takes effect.',
  ),
  audit_unavailable: kind(
    503,
    'The audit trail cannot be written',
    'Ask the operator to free disk space for the audit trail.',
  ),
} as const satisfies Record<string, ReturnType<typeof kind>>;

/** Code of a {@link Problem}. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Creates the status and the texts of a code. `recommendation` is the next step for the caller, in one sentence. */
function kind(status: number, title: string, recommendation: string) {
  return { status, title, recommendation } as const;
}
