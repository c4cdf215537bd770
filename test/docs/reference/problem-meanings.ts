import type { ProblemCode } from '../../../src/core/problem-codes.js';

/** What the reference says about a problem code, in addition to its texts on the wire. */
export interface ProblemMeaning {
  /** The causes, and what did or did not happen. */
  readonly meaning: string;
  /** Further advice after the recommendation on the wire. */
  readonly advice?: string;
  /** Other statuses than that of the code. */
  readonly statuses?: string;
}

const requests = {
  invalid_json: {
    meaning:
      'The body is not one well-formed JSON document in UTF-8. Programs parse some documents differently; these are rejected as well: an empty body, a byte order mark, a duplicate name in an object, more than 64 levels, half a surrogate pair, numbers that would lose digits.',
    advice: 'Send a very large number as a string. `detail` has the line and the column if they are known.',
  },
  malformed_request: {
    meaning:
      'The request is not valid HTTP: no `Host` header or several, an invalid transfer coding, or characters in the target that must be percent-encoded. HTTP clients never cause this.',
    advice: 'Read `detail`, and check the proxies between the client and gatehouse.',
    statuses:
      '400; 408 if the request arrived too slowly, 417 for an expectation other than `100-continue`, 431 if the headers are too large, 505 for another version than HTTP/1.0 and 1.1',
  },
  invalid_request: {
    meaning:
      'The JSON does not have the structure that the operation requires: a field is missing, unknown or of the wrong type. Or a query parameter is invalid; its pointer in `errors` then starts with `/query`. `errors` lists all errors.',
  },
  invalid_path: {
    meaning: '`params.path` could leave the base URL of the adapter. Nothing was sent.',
    advice: 'See [Call an orchestrator](../how-to/call-an-orchestrator.md).',
  },
  invalid_uri: {
    meaning:
      'The `uri` of a restCall is not an absolute http or https URI, or different parsers interpret it differently. Nothing was sent.',
  },
  invalid_header: {
    meaning: 'The `headers` of a restCall contain names or values that callers must not send.',
  },
  not_found: {
    meaning:
      'No operation has this path. Paths are case-sensitive. If another path is similar, `detail` names it.',
  },
  method_not_allowed: { meaning: 'The path exists, but with other methods.' },
  body_too_large: {
    meaning:
      'The body is larger than `server.limits.bodyBytes`, or its content is larger than `forms.maxBytes`.',
  },
  uri_too_long: {
    meaning: 'The request target is longer than 8,192 bytes.',
    advice: 'Put long values into the JSON body instead of the query.',
  },
  unsupported_media_type: {
    meaning: 'The body is not declared as `application/json` in UTF-8, or it is compressed.',
    advice: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;

const callers = {
  unauthorized: {
    meaning:
      'The request has no token, or the token is not accepted. The response is the same for every reason; the header `WWW-Authenticate` has the class of the reason, for example `error="invalid_token", error_description="The token expired"`. The log has the reason itself.',
    advice: 'Get a new token. If it is rejected as well, give the `requestId` to the operator.',
  },
  forbidden: {
    meaning:
      'The token is accepted, but none of its roles may call the operation. `detail` names the roles that may, and the roles of the token.',
    advice: 'Operators: see [Control access](../how-to/control-access.md).',
  },
  invalid_credentials: {
    meaning:
      'There is no such user or client, or the password is wrong. The response does not say which of the two applies.',
  },
  login_busy: {
    meaning: 'Too many passwords are being verified. This one was not verified.',
    advice: 'Reuse the token instead of logging in for every call.',
  },
  issuer_unavailable: {
    meaning:
      'The token cannot be verified: its issuer does not answer, and its keys are not known, or the introspection of the token failed. The token may be valid.',
    advice: 'Send the same token again.',
  },
  logout_token_invalid: {
    meaning: 'The logout token of an OpenID Connect back-channel logout is not valid.',
    advice: 'Operators: compare the issuer, the client id and the clocks.',
  },
  invalid_grant_request: {
    meaning:
      'The request to `/oauth/token` is incomplete, or asks for another grant. `error` has the code of OAuth: `invalid_request` or `unsupported_grant_type`.',
    advice: 'Send the client id and the secret once: as form fields or as HTTP Basic.',
  },
  csrf_refused: {
    meaning:
      'A browser sent a cookie with a request that may change something, without the header of the pages of this server. Or a page of another site sent the request. Nothing was done.',
    advice: 'A program sends its token in the header `Authorization`, without `Origin` and `Sec-Fetch-Site`.',
  },
  requester_excluded: {
    meaning: 'The requester of the task may not approve it, but may still reject it.',
  },
  binding_not_granted: {
    meaning:
      'The choices of a field come from a query that the form may not send, because the person who saved its bindings may not send queries through adapters. `detail` names the cause.',
    advice: 'That person sends `grantBindings: true`. Open tasks keep their previous grant.',
  },
  egress_denied: {
    meaning:
      'The egress policy of the server denies the destination of a restCall. `detail` has the reason. Nothing was sent.',
  },
  too_many_requests: {
    meaning:
      'There were too many wrong passwords or tokens for the name or from the address; the right one is rejected as well. Or a limit of callers applies, which `detail` names. Or `egress.concurrentPerSubject` calls of the caller are running. Or secrets were read a moment ago by `/admin/vault/refresh` or `/console/secrets/test`. Nothing was done.',
  },
  caller_gone: {
    meaning:
      'The client closed the connection before the response. Only the log and the audit trail have this code. A call that was on its way to an orchestrator may have been carried out.',
    advice: 'Raise the time-out of the client above 30 seconds.',
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;

const forms = {
  form_not_found: {
    meaning: 'No form has this id or name.',
    advice: '`GET /json-forms/forms` lists the forms.',
  },
  form_name_taken: { meaning: 'Another form has the name of the update or of the imported form.' },
  too_many_forms: { meaning: 'There would be more forms than `forms.maxForms`. Nothing was added.' },
  form_data_invalid: {
    meaning:
      'The data of the approval does not fit the form of the task. `errors` has at most 100 errors, with pointers into the body such as `/formData/vlan`. Nothing was stored.',
  },
  schema_invalid: {
    meaning:
      'The JSON Schema is invalid, or uses a feature that is not supported: a reference to another document, or a pattern of unbounded cost. For `validateForm`, `errors` has locations in the form.',
  },
  schema_too_costly: {
    meaning:
      'The validation exceeds the limit of steps, `forms.validateMemoryMb` or `forms.validateTimeoutMs`, or the schema is nested too deeply. `detail` names the limit.',
  },
  validation_busy: { meaning: 'Too many validations are waiting.' },
  yang_invalid: {
    meaning:
      'The YANG modules cannot be compiled. `errors` has each error with the text, line and column, and the broken rule, and names all missing imports.',
    advice:
      'Send the imported modules as well, or name an adapter in `adapterId` whose orchestrator has them.',
  },
  yang_too_costly: { meaning: 'The compilation needs too much time or memory. `detail` names the limit.' },
  task_not_found: {
    meaning:
      'No task has this id, or the caller may not read the task. Finished tasks are removed beyond `forms.tasks.maxTasks`, the oldest first.',
  },
  task_finished: { meaning: 'The task was approved or rejected; `detail` has the person and the time.' },
  too_many_tasks: {
    meaning:
      'There are too many open tasks, or they are too large: of all requesters (`forms.tasks.maxTasks`, `forms.tasks.maxTotalBytes`), or of one requester (`forms.tasks.maxOpenPerSubject`, and half of the other two). Nothing was stored.',
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;

export const MEANINGS_OF_CALLERS = { requests, callers, forms };
