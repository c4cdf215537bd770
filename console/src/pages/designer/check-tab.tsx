import type { ReactNode } from 'react';
import { text } from '../../design/designer-text.js';
import { pathWords } from '../../design/field-location.js';
import type { Finding } from '../../design/lint/each-schema.js';
import { Button } from '../../kit/button.js';
import { Empty } from '../../kit/feedback.js';
import { StatusLabel } from '../../kit/status.js';
import { useUrlState } from '../../kit/url-state.js';
import type { Design } from './use-design.js';

/** Renders all findings of the form, each with a link to its location. */
export function CheckTab({ design: { findings } }: { readonly design: Design }): ReactNode {
  if (findings.length === 0) return <Empty title={text('checkEmpty')}>{text('checkEmptyHelp')}</Empty>;
  return (
    <table className="gh-findings" aria-label={text('findings')}>
      <thead>
        <tr>
          <th scope="col">{text('severity')}</th>
          <th scope="col">{text('problem')}</th>
          <th scope="col">{text('location')}</th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding, at) => (
          <FindingRow key={at} finding={finding} />
        ))}
      </tbody>
    </table>
  );
}

function FindingRow({ finding }: { readonly finding: Finding }): ReactNode {
  const { kind, message, part, pointer, field } = finding;
  const [, setUrl] = useUrlState({ tab: 'design', field: '', view: 'form', part: 'schema', at: '' });
  return (
    <tr>
      <td>
        <StatusLabel status={kind === 'error' ? 'bad' : 'warning'}>{text(kind)}</StatusLabel>
      </td>
      <td>{message}</td>
      <td>
        {field !== undefined && (
          <Button kind="link" isSmall onPress={() => setUrl({ tab: 'design', field })}>
            {pathWords(field)}
          </Button>
        )}
        {part !== 'struct' && (
          <Button
            kind="link"
            isSmall
            onPress={() => setUrl({ tab: 'design', view: 'source', part, at: pointer })}
          >
            {part}
          </Button>
        )}
        {part === 'struct' && <span className="gh-quiet gh-code">{`struct${pointer}`}</span>}
      </td>
    </tr>
  );
}
