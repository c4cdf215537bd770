import type { ReactNode } from 'react';
import './api.css';
import { Empty } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Link } from '../../kit/link.js';
import { PathText } from '../../kit/path-text.js';
import { useUrlState } from '../../kit/url-state.js';
import { withCode } from '../../text/inline-code.js';
import { textOf } from '../../text/text.js';
import { type ApiOperation, type OperationGroup, searchedGroups } from './operation.js';

const text = textOf('api');

interface OperationListProps {
  readonly groups: readonly OperationGroup[];
  /** Id of the selected operation. */
  readonly chosen: string | undefined;
}

/** Renders the operations in groups, with a search over all of them. */
export function OperationList({ groups, chosen }: OperationListProps): ReactNode {
  const [{ find }, setUrl] = useUrlState({ find: '' });
  const shown = searchedGroups(groups, find);
  const count = shown.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <nav className="gh-api-list" aria-label={text('list')}>
      <TextField
        label={text('search')}
        value={find}
        onChange={(next) => setUrl({ find: next })}
        placeholder={text('search.hint')}
      />
      <p className="gh-quiet" role="status">
        {text('count', { count })}
      </p>
      {count === 0 && <Empty title={text('noMatches')}>{text('noMatches.help')}</Empty>}
      <div className="gh-api-groups" tabIndex={0} role="group" aria-label={text('groups')}>
        {shown.map(({ name, description, operations }) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <p className="gh-quiet">{withCode(description)}</p>
            <ul className="gh-plain-list">
              {operations.map((operation) => (
                <li key={operation.id} data-chosen={operation.id === chosen}>
                  <Entry operation={operation} find={find} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

function Entry({ operation, find }: { readonly operation: ApiOperation; readonly find: string }): ReactNode {
  const { id, method, path, summary, isDeprecated } = operation;
  const query = find === '' ? '' : `?${new URLSearchParams({ find }).toString()}`;
  return (
    <Link to={`/api/${encodeURIComponent(id)}${query}`}>
      <span className="gh-api-entry">
        <Method method={method} /> <PathText path={path} />
        {isDeprecated && <span className="gh-api-old">{text('isDeprecated')}</span>}
        <span className="gh-api-summary">{withCode(summary)}</span>
      </span>
    </Link>
  );
}

/** Renders an HTTP method with the width of the longest method. */
export function Method({ method }: { readonly method: string }): ReactNode {
  return (
    <span className="gh-api-method" data-method={method}>
      {method}
    </span>
  );
}
