import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Panel } from '../../kit/page.js';
import { withCode } from '../../text/inline-code.js';
import { textOf } from '../../text/text.js';

const text = textOf('adapter');

/** Reply of `GET /adapters/:name/changelogs`. */
interface Changelogs {
  readonly results: readonly {
    readonly version: string;
    readonly date: string | null;
    readonly changes: readonly string[];
  }[];
}

/** Returns the path of the changes between releases of an adapter's model. */
export function changelogsPath(name: string): string {
  return pathOf(['adapters', name, 'changelogs']);
}

/** Renders the changes between releases of an adapter's model. */
export function ChangesTab({ name, model }: { readonly name: string; readonly model: string }): ReactNode {
  const changelogs = useRead<Changelogs>(changelogsPath(name));
  return (
    <Read query={changelogs} what={text('releaseNotes.what')}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty title={text('releaseNotes.none')}>{text('releaseNotes.none.help', { model })}</Empty>
        ) : (
          results.map(({ version, date, changes }) => (
            <Panel key={version} title={date === null ? version : text('release', { version, date })}>
              <ul className="gh-changes">
                {changes.map((change) => (
                  <li key={change}>{withCode(change)}</li>
                ))}
              </ul>
            </Panel>
          ))
        )
      }
    </Read>
  );
}
