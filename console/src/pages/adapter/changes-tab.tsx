import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { RawLinks } from '../../kit/copy.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Panel } from '../../kit/page.js';
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

/** Renders the changes between releases of an adapter's model. */
export function ChangesTab({ name, model }: { readonly name: string; readonly model: string }): ReactNode {
  const path = pathOf(['adapters', name, 'changelogs']);
  const changelogs = useRead<Changelogs>(path);
  return (
    <>
      <div className="gh-actions">
        <RawLinks path={path} />
      </div>
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
    </>
  );
}

/** Renders a line of Markdown: only `code` is formatted. */
function withCode(line: string): ReactNode {
  return line.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
