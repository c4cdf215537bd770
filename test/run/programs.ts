import { lackingApiTools } from '../clients/tools.js';
import { lackOfBrowser } from '../support/browser.js';
import { isInstalled } from '../support/is-installed.js';
import { NO_KEYCLOAK } from '../support/keycloak.js';
import { NO_OPENBAO } from '../support/openbao.js';
import { lackOfNcclient } from '../support/ncclient.js';
import { lackOfNetconfd } from '../support/netconf-server.js';
import { findBinaries } from '../support/postgres-server.js';
import { isLacking } from './services.js';

/** A program that some tests need, and the consequence of its absence. */
export interface LackingProgram {
  readonly program: string;
  readonly skips: string;
}

const COMMANDS: Readonly<Record<string, string>> = {
  strace: 'tests of what is synced to the disk are skipped (apt-get install strace)',
  yanglint: 'comparisons with yanglint are skipped (apt-get install libyang2-tools)',
  xmllint: 'the comparison of XPath with libxml2 is skipped (apt-get install libxml2-utils)',
  nginx: 'it does not balance the nodes of a test (apt-get install nginx-light)',
  haproxy: 'it does not balance the nodes of a test (apt-get install haproxy)',
  curl: 'the guides are not followed',
  jq: 'the guides are not followed',
  openssl: 'the guides are not followed',
  promtool: 'Prometheus does not check the metrics and the alerts (apt-get install prometheus)',
  helm: 'the Helm chart is not tested (go install helm.sh/helm/v3/cmd/helm@latest)',
};

/** Returns the programs that are not installed on this machine. */
export function lackingPrograms(): readonly LackingProgram[] {
  const browser = lackOfBrowser();
  return [
    ...(browser === undefined
      ? []
      : [{ program: 'a browser', skips: `${browser}; tests of pages are skipped` }]),
    ...(process.env['PG_TEST_URL'] === undefined && findBinaries() === undefined
      ? [{ program: 'PostgreSQL', skips: 'its tests are skipped (apt-get install postgresql)' }]
      : []),
    ...(isLacking('openbao') ? [{ program: 'OpenBao (bao)', skips: NO_OPENBAO }] : []),
    ...(lackOfNetconfd() === undefined
      ? []
      : [
          {
            program: 'netconfd with sshd',
            skips: 'tests on a real NETCONF server are skipped (apt-get install netconfd openssh-server)',
          },
        ]),
    ...(lackOfNcclient() === undefined
      ? []
      : [
          {
            program: 'ncclient',
            skips: 'NETCONF is not compared with it (apt-get install python3-ncclient)',
          },
        ]),
    ...(isLacking('keycloak') ? [{ program: 'Keycloak', skips: NO_KEYCLOAK }] : []),
    ...lackingApiTools().map((program) => ({
      program,
      skips: 'it does not test the API description or the schemas of YANG modules (npm run api-tools)',
    })),
    ...Object.entries(COMMANDS)
      .filter(([command]) => !isInstalled(command))
      .map(([program, skips]) => ({ program, skips })),
  ];
}
