/** A named list of pages in the sidebar. */
interface Group {
  /** Title in the sidebar. The only group of a section has none. */
  readonly title?: string;
  /** File names without `.md`, in the order of the sidebar. */
  readonly pages: readonly string[];
}

/** A folder of `docs` whose pages are on the site. */
export interface Section {
  readonly name: SectionName;
  readonly title: string;
  readonly about: string;
  readonly groups: readonly Group[];
}

export type SectionName = 'tutorial' | 'how-to' | 'explanation' | 'reference';

/** Title of the group of the pages that no group lists. */
export const OTHER = 'Other pages';

const OPERATING = `install run-with-docker deploy-on-kubernetes run-with-systemd prepare-for-production place-behind-a-load-balancer
  rotate-certificates use-client-certificates run-a-cluster back-up-and-restore upgrade monitor collect-logs-and-traces
  send-notifications use-the-audit-trail limit-callers keep-records-in-git use-the-console fix-problems`;

const IDENTITY = `set-up-vault set-up-openbao authenticate-to-vault-from-kubernetes use-secrets rotate-a-secret
  migrate-enc-values read-secrets-from-files sign-in-with-keycloak sign-in-with-entra-id sign-in-with-okta
  sign-in-with-ldap-or-saml trust-a-token-issuer manage-local-users issue-tokens-to-scripts sign-in-from-a-shell
  control-access end-sessions-and-rotate-signing-keys`;

const CALLING = `call-an-orchestrator call-by-openapi read-a-list-in-pages stream-through-the-proxy handle-errors use-a-client-library connect-an-agent
  register-an-adapter manage-adapters-through-the-api manage-profiles undo-a-change tune-an-adapter
  log-in-to-an-orchestrator cache-reads change-the-configuration find-callers-of-deprecated-operations`;

const BUILDING = `store-a-form validate-data give-a-form-to-a-person offer-choices-from-an-orchestrator embed-a-task-page
  convert-yang validate-with-yang fetch-models-from-a-device write-a-plugin test-and-package-a-plugin run-a-community-adapter move-from-the-platform`;

const EXPLANATION = `call-path reload secrets tokens security-model audit-trail retries-and-breakers overload cluster yang
  comparison`;

const REFERENCE = `README settings adapter-settings production configuration-files configuration-errors environment process network cli operations requests input-limits problems
  clients mcp read-cache metrics traces-and-logs audit-record secret-references vault-logins secret-errors token-checks
  deprecations plugin-api forms form-widgets yang-mapping netconf-servers import-mapping import-report glossary`;

/** The sections of the site in the order of the sidebar. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'tutorial',
    title: 'Tutorials',
    about: 'Learn gatehouse step by step.',
    groups: [group('first-call first-plugin first-form')],
  },
  {
    name: 'how-to',
    title: 'How-to guides',
    about: 'Do one task.',
    groups: [
      group(OPERATING, 'Operate'),
      group(IDENTITY, 'Secrets and identity'),
      group(CALLING, 'Call and configure'),
      group(BUILDING, 'Build'),
    ],
  },
  {
    name: 'explanation',
    title: 'Explanation',
    about: 'Understand how gatehouse works, and why.',
    groups: [group(EXPLANATION)],
  },
  {
    name: 'reference',
    title: 'Reference',
    about: 'Look up keys, operations, problem codes and metrics.',
    groups: [group(REFERENCE)],
  },
];

function group(pages: string, title?: string): Group {
  return { pages: pages.trim().split(/\s+/), ...(title !== undefined && { title }) };
}

/**
 * Returns the groups of a section for the pages that exist, without empty groups. Pages that no group lists are in
 * a group of their own at the end.
 */
export function groupsOf({ groups }: Section, existing: readonly string[]): readonly Group[] {
  const listed = new Set(groups.flatMap(({ pages }) => pages));
  const others = existing.filter((page) => !listed.has(page)).sort();
  return [...groups, { title: OTHER, pages: others }]
    .map(({ pages, ...rest }) => ({ ...rest, pages: pages.filter((page) => existing.includes(page)) }))
    .filter(({ pages }) => pages.length > 0);
}
