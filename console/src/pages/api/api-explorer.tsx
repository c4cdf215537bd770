import { type ReactNode, useMemo } from 'react';
import { useParams } from 'wouter';
import { useRead } from '../../api/queries.js';
import { RawLinks } from '../../kit/copy.js';
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
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      actions={
        <>
          <Link to="/api">{text('all')}</Link>
          <OuterLink to="/docs">{text('docs')}</OuterLink>
          <RawLinks path={PATH} />
        </>
      }
    >
      <Read query={document} what={text('what')}>
        {(found) => <Explorer document={found} />}
      </Read>
    </Page>
  );
}

function Explorer({ document }: { readonly document: ApiDocument }): ReactNode {
  const { operation: id } = useParams<{ readonly operation?: string }>();
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
