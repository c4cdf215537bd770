import { type ReactNode, useMemo } from 'react';
import { useParams } from 'wouter';
import { useRead } from '../../api/queries.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link, OuterLink } from '../../kit/link.js';
import { Columns, Page } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { OperationDetail } from './operation-detail.js';
import { OperationList } from './operation-list.js';
import { type ApiDocument, groupsOf } from './operation.js';

const text = textOf('api');

const PATH = '/openapi.json';

/** Renders all operations of this server, with documentation and test requests. */
export function ApiExplorer(): ReactNode {
  const document = useRead<ApiDocument>(PATH);
  const { operation } = useParams<{ readonly operation?: string }>();
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      actions={
        <>
          {operation !== undefined && (
            <Link to="/api" kind="button">
              {text('all')}
            </Link>
          )}
          <OuterLink to="/docs" kind="button">
            {text('docs')}
          </OuterLink>
        </>
      }
      source={{ path: PATH }}
    >
      <Read query={document} what={text('what')}>
        {(found) => <Explorer document={found} id={operation} />}
      </Read>
    </Page>
  );
}

interface ExplorerProps {
  readonly document: ApiDocument;
  /** Id of the selected operation. */
  readonly id: string | undefined;
}

function Explorer({ document, id }: ExplorerProps): ReactNode {
  const groups = useMemo(() => groupsOf(document), [document]);
  const chosen = groups.flatMap(({ operations }) => operations).find((one) => one.id === id);
  const list = <OperationList groups={groups} chosen={chosen?.id} />;
  if (id === undefined) return list;
  return (
    <Columns kind="narrow-first">
      {list}
      {chosen ? (
        <OperationDetail key={chosen.id} operation={chosen} schemas={document.components?.schemas ?? {}} />
      ) : (
        <Empty title={text('notFound')}>{text('notFound.help', { id })}</Empty>
      )}
    </Columns>
  );
}
