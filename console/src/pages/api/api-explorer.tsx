import { type ReactNode, useMemo } from 'react';
import { useParams } from 'wouter';
import { useRead } from '../../api/queries.js';
import { Columns, Page } from '../../kit/page.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link, OuterLink } from '../../kit/link.js';
import { RawLinks } from '../../kit/copy.js';
import { type ApiDocument, groupsOf } from './operation.js';
import { OperationDetail } from './operation-detail.js';
import { OperationList } from './operation-list.js';

const PATH = '/openapi.json';

/** Renders all operations of this server, with documentation and test requests. */
export function ApiExplorer(): ReactNode {
  const document = useRead<ApiDocument>(PATH);
  return (
    <Page
      title="API"
      lead="All operations of this server, from its OpenAPI description. Requests that you send here are executed."
      actions={
        <>
          <Link to="/api">All operations</Link>
          <OuterLink to="/docs">Single-page documentation</OuterLink>
          <RawLinks path={PATH} />
        </>
      }
    >
      <Read query={document} what="the description of the API">
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
        <Empty title="Operation not found">
          This server has no operation {id}. It may belong to another release.
        </Empty>
      )}
    </Columns>
  );
}
