import type { ReactNode } from 'react';
import { useSession } from '../../app/session.js';
import { CodeView } from '../../kit/copy.js';
import { Facts } from '../../kit/facts.js';
import { Notice } from '../../kit/feedback.js';
import { formatAlternatives } from '../../kit/numbers.js';
import { Panel, Stack } from '../../kit/page.js';
import { PathText } from '../../kit/path-text.js';
import { StatusLabel, Tag } from '../../kit/status.js';
import { withCode } from '../../text/inline-code.js';
import { textOf } from '../../text/text.js';
import { Method } from './operation-list.js';
import type { ApiOperation, Schema } from './operation.js';
import { resolveReference } from './schema-example.js';
import { type OperationDetailProps, TryIt } from './try-it.js';

const text = textOf('api');

/** Renders an operation: its purpose, its permissions, and a form for calling it. */
export function OperationDetail({ operation, schemas }: OperationDetailProps): ReactNode {
  const { method, path, summary, body, reply } = operation;
  return (
    <Stack>
      <Panel title={summary.replace(/\.$/, '')}>
        <Stack>
          <p className="gh-api-route">
            <Method method={method} /> <PathText path={path} />
          </p>
          <SunsetNotice operation={operation} />
          <About operation={operation} />
        </Stack>
      </Panel>
      <TryIt operation={operation} schemas={schemas} />
      {body && <SchemaPanel title={text('requestSchema')} schema={resolveReference(body, schemas)} />}
      {reply && <SchemaPanel title={text('responseSchema')} schema={resolveReference(reply, schemas)} />}
    </Stack>
  );
}

function About({ operation }: Pick<OperationDetailProps, 'operation'>): ReactNode {
  const { may } = useSession();
  const { id, group, roles, permission } = operation;
  const purpose = purposeOf(operation);
  return (
    <Facts
      facts={{
        [text('allowedRoles')]: <Roles roles={roles} />,
        [text('access')]: may(permission) ? (
          <StatusLabel status="good">{text('allowed')}</StatusLabel>
        ) : (
          <StatusLabel status="off">{text('notAllowed')}</StatusLabel>
        ),
        [text('description')]: purpose === '' ? undefined : withCode(purpose),
        [text('operationId')]: <code>{id}</code>,
        [text('permission')]: (
          <code>
            {group}.{permission}
          </code>
        ),
      }}
    />
  );
}

/** Returns the description without the roles, which have a line of their own. */
function purposeOf({ description }: ApiOperation): string {
  return description.replace(/^(?:Roles: [^.]*\.|No token needed\.|Any valid token\.) ?/, '');
}

function Roles({ roles }: Pick<ApiOperation, 'roles'>): ReactNode {
  if (roles === 'public') return text('public');
  if (typeof roles === 'string') return text('authenticated');
  if (roles.length === 0) return text('noRole');
  return (
    <ul className="gh-inline-list">
      {roles.map((role) => (
        <li key={role}>
          <Tag>{role}</Tag>
        </li>
      ))}
    </ul>
  );
}

function SunsetNotice({ operation }: Pick<OperationDetailProps, 'operation'>): ReactNode {
  const { isDeprecated, removedIn, replacedBy } = operation;
  if (!isDeprecated) return null;
  const title =
    removedIn === undefined ? text('deprecated') : text('deprecatedUntil', { release: removedIn });
  return (
    <Notice kind="warning" title={title}>
      {replacedBy.length === 0
        ? text('noReplacement')
        : text('replacement', { operations: formatAlternatives(replacedBy) })}
    </Notice>
  );
}

function SchemaPanel({ title, schema }: { readonly title: string; readonly schema: Schema }): ReactNode {
  return (
    <details className="gh-api-schema">
      <summary>{title}</summary>
      <CodeView label={title} text={JSON.stringify(schema, null, 2)} />
    </details>
  );
}
