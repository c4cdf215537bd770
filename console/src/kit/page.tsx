import { type ReactNode, useEffect } from 'react';
import { Card, CardBody, CardHeader, CardTitle } from '@patternfly/react-core/dist/esm/components/Card';
import { Content } from '@patternfly/react-core/dist/esm/components/Content';
import { PageSection } from '@patternfly/react-core/dist/esm/components/Page';
import { Title } from '@patternfly/react-core/dist/esm/components/Title';

export interface PageProps {
  /** Name of the page: its heading, and the title of the window. */
  readonly title: string;
  /** One sentence: what the page is for. */
  readonly lead?: ReactNode;
  /** What can be done with the whole of it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One page: a heading, what can be done, and the rest below. */
export function Page({ title, lead, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · gatehouse`;
  }, [title]);
  return (
    <>
      <PageSection aria-label="Page head">
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

/** A part of a page, with a heading of its own. */
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
