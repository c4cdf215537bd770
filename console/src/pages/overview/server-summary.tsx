import type { ReactNode } from 'react';
import type { OverviewReply } from '../../api/observe.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import { InlineList } from '../../kit/inline-list.js';
import { Ago } from '../../kit/time.js';

/** Version, release, uptime and profile of the server. */
export function ServerSummary({ server }: { readonly server: OverviewReply['server'] }): ReactNode {
  const { version, release, since, activeProfile, ready, configurationUpToDate, generation } = server;
  return (
    <InlineList
      label="Server"
      facts={{
        Readiness: (
          <Link to="/health">
            {ready ? (
              <StatusLabel status="good">ready</StatusLabel>
            ) : (
              <StatusLabel status="bad">not ready</StatusLabel>
            )}
          </Link>
        ),
        Configuration: (
          <Link to="/health">
            {configurationUpToDate ? (
              <StatusLabel status="good">up to date</StatusLabel>
            ) : (
              <StatusLabel status="warning">not applied</StatusLabel>
            )}
          </Link>
        ),
        Profile: <Link to="/profiles">{activeProfile ?? 'none active'}</Link>,
        Version: `${version} (${release})`,
        Started: <Ago at={since} />,
        'Configuration loads': generation,
      }}
    />
  );
}
