/** A failed check of schemathesis that is no fault. The test fails for an entry that no longer occurs. */
export interface AcceptedFailure {
  readonly check: string;
  /** Method and path of the operation; `*` for all operations. */
  readonly operation: string;
  /** Status and problem code of the response. */
  readonly answer: string;
  readonly reason: string;
  /** Accepts the failure only for requests like this; the text has the method, the URI, the body and the response. */
  readonly exchange?: RegExp;
  /**
   * Requests of an administrator: `METHOD PATH`, a tag for If-Match after `if`, and the body. `{id}` is the `id` of the
   * response before, or of its member `doc`. Present if only random data causes the failure, so that a run may not contain
   * it: the test sends them itself, and the last response must be the answer.
   */
  readonly requests: readonly string[];
}

type Requests = readonly string[] | ((operation: string) => readonly string[]);

/** Returns a function that describes failures of a check: one for each operation. */
function failuresOf(check: string) {
  return (
    operations: string | readonly string[],
    answer: string,
    ...[reason, requests = []]: readonly [string, Requests?]
  ) =>
    [operations].flat().map((operation): AcceptedFailure => {
      const sent = typeof requests === 'function' ? requests(operation) : requests;
      return { check, operation, answer, reason, requests: sent };
    });
}

/** Valid data that an operation refuses. */
const refused = failuresOf('positive_data_acceptance');
/** Invalid data that an operation accepts, or refuses with another status. */
const accepted = failuresOf('negative_data_rejection');
const failed = failuresOf('not_a_server_error');

const bodyOf = (body: string) => (operation: string) => [`${operation} ${body}`];

const NEW_ADAPTER =
  'POST /adapters {"properties":{"name":"lab8","model":"restconf","properties":{"properties":{"baseUrl":"http://127.0.0.1:9"}}}}';
const NEW_TASK = 'POST /json-forms/task/RenderJsonSchema {"jsonSchema":true}';
const NEW_FORM = 'POST /json-forms/forms {"name":"Parts","schema":{}}';
const QUERY = 'POST /orchestrator_manager/restQuery/core1 {"params":{"path":"/","accept":"a/b"}}';

const OUTCOME = 'POST /json-forms/tasks/{id}/outcome';
const PROXY = '/proxy/{adapterId}/{path}';
const PROFILE_CHANGES = ['PUT /profiles/{id}/active', 'DELETE /profiles/{id}'];

const NO_TAG = 'The value of If-Match is not the entity tag of the object.';
const PLUGIN_RULES = 'The model must be an installed plugin, and the settings must be valid for it.';
const TASK_RULES =
  'The rules of a task go beyond a schema: origins of returnTo, an assignee, existing modules.';
const BY_LENGTH = 'The server refuses the request by its length.';

export const ACCEPTED_FAILURES: readonly AcceptedFailure[] = [
  ...failuresOf('allow_header_conformance')(
    ['/adapters/import', '/adapters/connection-test', '/profiles/import', '/json-forms/forms/import'].map(
      (path) => `POST ${path}`,
    ),
    '405 method_not_allowed',
    'The path is also the path of the object with this name, which has these methods.',
  ),
  ...accepted(
    'GET /console/oidc/begin',
    '303',
    'The browser of a person is sent to the sign-in page, also for an invalid link.',
  ),
  ...accepted(
    'POST /json-forms/validate-form/{id}',
    '200',
    'Clients of the platform expect 200 with the status 404 in the body for a form that does not exist.',
  ).map((entry) => ({ ...entry, exchange: /"status":404/ })),
  ...accepted('*', '200', 'An empty number or time counts as absent, because programs send empty values.', [
    'PUT /adapters/core1/start',
    'GET /adapters/core1/methods?limit=',
  ]).map((entry) => ({
    ...entry,
    exchange: /GET \S+[?&](?:limit|skip|order|after|from|to|span|status)=(?:[&\s]|$)/,
  })),
  ...accepted('*', '414 uri_too_long', BY_LENGTH, [`GET /audit?subject=${'x'.repeat(10_000)}`]),
  ...accepted('*', '431 malformed_request', BY_LENGTH, [`GET /audit?subject=${'x'.repeat(20_000)}`]),
  ...accepted('*', '413 body_too_large', BY_LENGTH, [`POST /login {"username":"${'x'.repeat(20_000)}"}`]),
  ...accepted(
    PROFILE_CHANGES,
    '412 precondition_failed',
    'If-Match is compared before the other parameters are read.',
    (operation) => ['POST /profiles {"properties":{"id":"p8"}}', `${operation.replace('{id}', 'p8')} if "0"`],
  ),
  ...failed(
    '*',
    '503 adapter_unavailable',
    'An earlier request has stopped the adapter; 503 is documented.',
    ['PUT /adapters/core1/stop', QUERY],
  ),
  ...failed('*', '503 application_stopped', 'An earlier request has stopped the application.', [
    'PUT /applications/OrchestratorManager/stop',
    QUERY,
  ]),
  ...refused('GET /audit', '400 invalid_request', 'A cursor is a value of an earlier page.'),
  ...refused(
    'GET /access/decision',
    '400 invalid_request',
    'The server knows the subject and the operation.',
    ['GET /access/decision?operation=none&roles=admin'],
  ),
  ...refused(
    'POST /notifications/mutes',
    '400 invalid_request',
    'The kind decides which names are valid.',
    bodyOf('{"kind":"code","name":"no code","minutes":5,"reason":"test"}'),
  ),
  ...refused(
    ['POST /adapters', 'POST /adapters/import', 'POST /adapters/connection-test'],
    '400 invalid_request',
    PLUGIN_RULES,
    bodyOf('{"properties":{"name":"lab9","model":"none","properties":{}}}'),
  ),
  ...refused('PUT /adapters/{name}', '400 invalid_request', PLUGIN_RULES, [
    NEW_ADAPTER,
    'PUT /adapters/lab8 {"properties":{"properties":{"properties":{"baseUrl":"none"}}}}',
  ]),
  ...refused(
    'PUT /adapters/{name}/suspend',
    '400 invalid_request',
    'A suspension begins within a year, and not in the past.',
    () => ['PUT /adapters/core1/suspend {"starts":"2020-01-01T00:00:00Z"}'],
  ),
  ...refused('PUT /adapters/{name}/properties', '400 invalid_request', PLUGIN_RULES, [
    NEW_ADAPTER,
    'PUT /adapters/lab8/properties {"properties":{"id":"lab8","type":"restconf","properties":{}}}',
  ]),
  ...refused(
    ['PUT /adapters/{name}', 'PUT /adapters/{name}/properties', 'DELETE /adapters/{name}'],
    '412 precondition_failed',
    NO_TAG,
    (operation) => [
      NEW_ADAPTER,
      `${operation.replace('{name}', 'lab8')} if "0"${operation.startsWith('PUT') ? ' {"properties":{}}' : ''}`,
    ],
  ),
  ...refused(
    ['PUT /access/rules/{name}', 'POST /access/rules/{name}/preview'],
    '400 invalid_request',
    'The operations and methods of a rule must exist.',
    (operation) => [
      `${operation.replace('{name}', 'r8')} {"properties":{"roles":["noc"],"operations":["none"]}}`,
    ],
  ),
  ...refused(
    ['PUT /limits/{name}', 'POST /limits/{name}/preview'],
    '400 invalid_request',
    'A limit needs a number of requests or of calls at the same time.',
    (operation) => [`${operation.replace('{name}', 'l8')} {"properties":{}}`],
  ),
  ...refused(
    ['/access/rules/{name}', '/limits/{name}'].flatMap((path) => [`PUT ${path}`, `DELETE ${path}`]),
    '412 precondition_failed',
    NO_TAG,
    (operation) => {
      const [method = '', path = ''] = operation.replace('{name}', 'r9').split(' ');
      const body = `{"properties":${path.startsWith('/limits') ? '{"requests":100}' : '{"roles":["noc"]}'}}`;
      return [`PUT ${path} ${body}`, `${method} ${path} if "0"${method === 'PUT' ? ` ${body}` : ''}`];
    },
  ),
  ...refused(
    ['POST /profiles', 'POST /profiles/import'],
    '400 invalid_request',
    'The id of a profile has no control characters.',
    bodyOf('{"properties":{"id":"a\\u0007"}}'),
  ),
  ...refused(['PUT /profiles/{id}', ...PROFILE_CHANGES], '412 precondition_failed', NO_TAG),
  ...refused(
    ['POST /json-forms/yangToSchema', 'POST /json-forms/task/RenderYangForm'],
    '400 invalid_request',
    'The member mount needs an adapterId.',
    (operation) => [
      `${operation} {"yangData":["module a { namespace \\"urn:a\\"; prefix a; }"],"mount":"/data"${operation.endsWith('Form') ? ',"module":"a"' : ''}}`,
    ],
  ),
  ...refused(
    'POST /console/oidc/back-channel-logout',
    '400 logout_token_invalid',
    'No schema describes a token that an identity provider signed.',
  ),
  ...refused('GET /console/vault/paths', '400 invalid_request', 'The path is in the scope of the adapter.', [
    'GET /console/vault/paths?adapter=lab1&path=%C2%A8',
  ]),
  ...refused('GET /console/traffic', '400 invalid_request', 'The parameters from and to come together.', [
    'GET /console/traffic?to=2026-01-01T00:00:00Z',
  ]),
  ...refused('POST /console/secrets/test', '400 invalid_request', 'The reference must be in use.'),
  ...refused(
    'GET /json-forms/tasks/{id}/subtrees',
    '400 invalid_request',
    'The schema of the task must be large, and the pointer must lead to one of its objects.',
    [NEW_TASK, 'GET /json-forms/tasks/{id}/subtrees?pointer=/properties/a'],
  ),
  ...refused(
    'GET /json-forms/forms/{id}/subtrees',
    '400 invalid_request',
    'The schema of the form must be shown in parts, and the pointer must lead to one of its objects.',
    [NEW_FORM, 'GET /json-forms/forms/{id}/subtrees?pointer=/properties/a'],
  ),
  ...refused(
    'PUT /json-forms/forms/{id}',
    '400 invalid_request',
    'The generator makes names that break the length or the pattern of the schema.',
    ['PUT /json-forms/forms/x {"options":{"name":""}}'],
  ),
  ...refused('GET /json-forms/tasks', '400 invalid_request', 'The order has no meaning with sort=own.', [
    'GET /json-forms/tasks?sort=own&order=1',
  ]),
  ...refused('POST /json-forms/tasks/{id}/choices', '400 invalid_request', 'The field must have a binding.'),
  ...refused('POST /json-forms/decode', '400 schema_invalid', 'Each bound property must be in the schema.'),
  ...refused(
    ['POST /json-forms/task/RenderJsonSchema', 'POST /json-forms/task/ShowJsonForm'],
    '400 invalid_request',
    TASK_RULES,
  ),
  ...refused(OUTCOME, '400 invalid_request', 'A rejection needs a reason, and an approval needs data.'),
  ...refused(OUTCOME, '412 precondition_failed', NO_TAG, [
    NEW_TASK,
    `${OUTCOME} if "0" {"outcome":"rejected","reason":"none"}`,
  ]),
  ...refused(OUTCOME, '422 form_data_invalid', 'The data must be valid for the form of the task.'),
  ...refused('PUT /json-forms/tasks/{id}/draft', '412 precondition_failed', NO_TAG),
  ...refused(
    ['POST /json-forms/import/forms', 'POST /json-forms/forms/import'],
    '400 invalid_request',
    'The handler validates each form as a new form.',
    bodyOf('{"forms":[{}]}'),
  ),
  ...refused(
    'POST /oauth/token',
    '400 invalid_grant_request',
    'The credentials are in a header or the body.',
  ),
  ...refused('POST /tools/restCall', '400 invalid_uri', 'The rules of a URI go beyond its pattern.'),
  ...refused('POST /tools/restCall', '400 invalid_header', 'No schema describes the names of headers.', [
    'POST /tools/restCall {"uri":"https://a.example","verb":"GET","responseHeaders":false,"headers":{"a b":"c"}}',
  ]),
  ...refused('*', '400 invalid_json', 'JSON Schema does not limit the digits of a number.', [
    'POST /json-forms/validate-data {"jsonSchema":true,"formData":1e999}',
  ]),
  ...refused('*', '400 yang_invalid', 'No schema describes the text of a YANG module.', [
    'POST /json-forms/yangToSchema {"yangData":["0"]}',
  ]),
  ...refused('*', '422 schema_too_costly', 'The cost of a schema depends on its references.', [
    `POST /json-forms/decode {"jsonSchema":{"enum":[${'0,'.repeat(100_000)}0],"allOf":[${'{},'.repeat(100_000)}{}]}}`,
  ]),
  ...refused(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => `${method} ${PROXY}`),
    '400 malformed_request',
    'The path of /proxy is any text without control characters.',
    (operation) => [operation.replace(PROXY, '/proxy/core1/%01')],
  ),
  ...refused(`HEAD ${PROXY}`, '400', 'The same as malformed_request, without a body.', [
    'HEAD /proxy/core1/%01',
  ]),
];
