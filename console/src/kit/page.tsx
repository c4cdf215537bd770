import { type ReactNode, useEffect } from 'react';
import { Card, CardBody, CardHeader, CardTitle } from '@patternfly/react-core/dist/esm/components/Card';
import { Content } from '@patternfly/react-core/dist/esm/components/Content';
import { PageSection } from '@patternfly/react-core/dist/esm/components/Page';
import { Title } from '@patternfly/react-core/dist/esm/components/Title';

export interface PageProps {
  /** Name of the page: its heading, and the title of the window. */
  readonly title: string;
  /** Purpose of the page, in one sentence. */
  readonly lead?: ReactNode;
  /** Actions on the page as a whole. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: a heading, its actions, and the content. */
export function Page({ title, lead, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · gatehouse`;
  }, [title]);
  return (
    <>
      <PageSection aria-label="Page header">
        <div className="gh-page-head">
          <div>
            <Title headingLevel="h1">{title}</Title>
            {lead !== undefined && <Content component="p">{lead}</Content>}
          </div>
          {actions !== undefined && <div className="gh-actions">{actions}</div>}
        </div>
      </PageSection>
      <PageSection isFilled aria-label={title}>
        <div className="gh-stack">{children}</div>
      </PageSection>
    </>
  );
}

export interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page with its own heading. */
export function Panel({ title, actions, children }: PanelProps): ReactNode {
  return (
    <Card component="section" aria-label={title}>
      <CardHeader {...(actions !== undefined && { actions: { actions, hasNoOffset: true } })}>
        <CardTitle component="h2">{title}</CardTitle>
      </CardHeader>
      <CardBody>{children}</CardBody>
    </Card>
  );
}
