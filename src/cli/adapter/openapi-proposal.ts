import type { DocumentInfo, OperationEntry } from '../../adapters/openapi/document-task.js';
import { writeYaml } from '../../config/yaml.js';
import { type JsonObject, objectOf } from '../../json/json-object.js';
import { type SecretPlace, secretPlace, type SecretPlaceKind } from '../../secrets/secret-place.js';

/** What an adapter file is made from. */
interface ProposalInput {
  readonly name: string;
  readonly info: DocumentInfo;
  /** Path of the document, relative to the adapter file. */
  readonly file: string;
  readonly methods: readonly string[];
  readonly baseUrl: string;
  /** Where the configuration keeps secrets. */
  readonly place: SecretPlaceKind;
}

/** An adapter file, and what is left to do. */
interface Proposal {
  readonly text: string;
  /** How to store the secrets, for example `store the secret adapters/nms#password in Vault`. */
  readonly advice: readonly string[];
}

/** Returns the adapter file for a document, with the authentication that its security schemes ask for. */
export function proposeAdapter({ name, info, file, methods, baseUrl, place }: ProposalInput): Proposal {
  const { auth, advice, others } = proposeAuth({ name, place, baseUrl }, info.securitySchemes);
  const value = { plugin: 'http-rest', baseUrl, auth, openapi: { file, methods } };
  const title = info.title.replace(/\s+/g, ' ').trim();
  const lines = [
    ...(title === '' ? [] : [`# ${title}`]),
    ...others.map((other) => `# The document also has the security scheme ${other}.`),
    writeYaml(value).trimEnd(),
    ...pagingLines(info.queryParameters),
  ];
  return { text: `${lines.join('\n')}\n`, advice };
}

/** Returns the base URL of the first server; a placeholder for a server without a host. */
export function proposedBaseUrl({ servers: [server = ''] }: DocumentInfo): string {
  const [, origin, path = ''] = /^(https?:\/\/[^/?#{}]+)?(\/[^?#{}]*)?/i.exec(server) ?? [];
  return `${origin ?? 'https://orchestrator.example'}${path.replace(/\/+$/, '')}`;
}

/** Returns a name for the adapter: the title of the document in lower case. */
export function proposedName({ title }: DocumentInfo): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(0, 40).replace(/-+$/, '') || 'orchestrator';
}

interface ProposedAuth {
  readonly auth: object;
  readonly advice: Proposal['advice'];
  /** Schemes that were not chosen. */
  readonly others: readonly string[];
}

function proposeAuth(
  { name, place, baseUrl }: Pick<ProposalInput, 'name' | 'place' | 'baseUrl'>,
  schemes: DocumentInfo['securitySchemes'],
): ProposedAuth {
  const places = new Map<string, SecretPlace>();
  const secret = (field: string): string => {
    const proposed = secretPlace(place, `adapters/${name}`, field);
    places.set(proposed.text, proposed);
    return proposed.text;
  };
  const proposals = Object.entries(schemes).map(([scheme, value]) => {
    const auth = authOf(objectOf(value), secret);
    return { scheme, auth: auth && withAbsoluteUrl(auth, baseUrl) };
  });
  const chosen = proposals.find(({ auth }) => auth);
  const auth = chosen?.auth ?? { type: 'none' };
  const advice = Object.values(auth).flatMap((value) => places.get(value)?.advice ?? []);
  return { auth, advice, others: proposals.filter((one) => one !== chosen).map(({ scheme }) => scheme) };
}

/** Returns an authentication with the whole address of its tokens, which is relative to the base URL in some documents. */
function withAbsoluteUrl<Auth extends Readonly<Record<string, string>>>(auth: Auth, baseUrl: string): Auth {
  const { tokenUrl } = auth;
  if (tokenUrl === undefined || !URL.canParse(tokenUrl, `${baseUrl}/`)) return auth;
  return { ...auth, tokenUrl: new URL(tokenUrl, `${baseUrl}/`).href };
}

type SecretReference = (field: string) => string;

/** Returns the authentication for a security scheme; undefined for one that an adapter does not have. */
function authOf(scheme: JsonObject, secret: SecretReference): Readonly<Record<string, string>> | undefined {
  switch (scheme['type']) {
    case 'basic':
      return { type: 'basic', username: 'gatehouse', password: secret('password') };
    case 'http':
      return authOf({ type: scheme['scheme'] === 'basic' ? 'basic' : 'openIdConnect' }, secret);
    case 'openIdConnect':
      return { type: 'bearer', token: secret('token') };
    case 'apiKey':
      return keyAuth(scheme, secret);
    case 'oauth2':
      return clientAuth(scheme, secret);
    default:
      return undefined;
  }
}

function keyAuth({ in: place, name }: JsonObject, secret: SecretReference): ReturnType<typeof authOf> {
  if (place !== 'header' && place !== 'query') return undefined;
  return { type: place, name: String(name), value: secret('key') };
}

/** Returns the grant of clients, which is "application" in Swagger 2.0. */
function clientAuth(
  { flows, flow, tokenUrl }: JsonObject,
  secret: SecretReference,
): ReturnType<typeof authOf> {
  const { tokenUrl: url = flow === 'application' ? tokenUrl : undefined } = objectOf(
    objectOf(flows)['clientCredentials'],
  );
  if (typeof url !== 'string') return undefined;
  return { type: 'oauth2', tokenUrl: url, clientId: 'gatehouse', clientSecret: secret('clientSecret') };
}

/** Query parameters of pages, with the rule that they suggest. */
const PAGINGS: readonly (readonly [parameter: string, rule: string])[] = [
  ['offset', '{ by: offset, parameter: offset }'],
  ['page', '{ by: page, parameter: page }'],
  ['startingAfter', '{ by: link }'],
];

/** Returns a comment with the option `paging` that the parameters suggest: only a person knows where the items are. */
function pagingLines(parameters: readonly string[]): readonly string[] {
  const rule = PAGINGS.find(([parameter]) => parameters.includes(parameter))?.[1];
  if (rule === undefined) return [];
  return [
    '# Operations have parameters of pages. If restQuery shall read lists to the end, compare this with the orchestrator,',
    '# and add "items" if a page is not the list itself:',
    '# options:',
    '#   paging:',
    `#     lists: [${rule}]`,
  ];
}

export function operationRows(operations: readonly OperationEntry[]): readonly (readonly string[])[] {
  return operations.map(({ name, method, path, tags = [], summary }) => [
    name,
    method,
    path,
    tags.join(', '),
    summary.slice(0, 60),
  ]);
}
