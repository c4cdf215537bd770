import { type ReactNode, useMemo } from 'react';
import { objectAt } from '../../design/json-edit.js';
import { Empty } from '../../kit/feedback.js';
import { SelectField } from '../../kit/fields.js';
import { Panel } from '../../kit/page.js';
import { Tag } from '../../kit/status.js';
import { useUrlState } from '../../kit/url-state.js';
import { CoveragePanel } from './coverage-panel.js';
import { coverageOf } from './coverage.js';
import { GraphView } from './graph-view.js';
import { moduleGraph } from './module-graph.js';
import { scanYang } from './scan-yang.js';
import { SchemaPanel } from './schema-panel.js';
import type { Dialect, YangSchema, YangText } from './yang-request.js';
import { text } from './yang-text.js';

export interface YangReply {
  readonly schemas: readonly YangSchema[];
  readonly fetched?: readonly string[];
  readonly bundled?: readonly string[];
}

interface ResultsProps {
  readonly texts: readonly YangText[];
  readonly reply: YangReply | undefined;
  readonly dialect: Dialect;
  readonly onShow: (index: number) => void;
}

/** Renders the module graph, as soon as there is a text, and the results of the conversion. */
export function Results({ texts, reply, dialect, onShow }: ResultsProps): ReactNode {
  const [{ module }, setUrl] = useUrlState({ module: '' });
  const scanned = useMemo(() => texts.map((one) => scanYang(one.text)), [texts]);
  const chosen = reply && chosenOf(reply.schemas, module);
  const coverage = useMemo(() => chosen && coverageOf(chosen), [chosen]);
  const graph = useMemo(
    () =>
      moduleGraph(
        scanned.filter((one) => one !== undefined),
        coverage?.byModule,
      ),
    [scanned, coverage],
  );
  if (graph.nodes.length === 0) return <Empty title={text('noModules')}>{text('noModules.help')}</Empty>;
  const showModule = (name: string) => {
    const index = scanned.findIndex((one) => one?.name === name);
    if (index >= 0) onShow(index);
  };
  return (
    <>
      <Panel title={text('dependencies')}>
        <GraphView graph={graph} onPress={showModule} />
        <ModuleNames label={text('fetched')} names={reply?.fetched ?? []} />
        <ModuleNames label={text('bundled')} names={reply?.bundled ?? []} />
      </Panel>
      <ModuleField
        schemas={reply?.schemas ?? []}
        chosen={chosen}
        onChoose={(next) => setUrl({ module: next })}
      />
      {chosen && coverage && (
        <>
          <CoveragePanel coverage={coverage} warnings={chosen.warnings} module={chosen.module} />
          <SchemaPanel result={chosen} dialect={dialect} />
        </>
      )}
    </>
  );
}

/** Returns the requested module; otherwise the first module with data, or the first one. */
function chosenOf(schemas: readonly YangSchema[], module: string): YangSchema | undefined {
  const hasData = ({ schema }: YangSchema): boolean =>
    Object.keys(objectAt(schema, '/properties')).length > 0;
  return schemas.find((one) => one.module === module) ?? schemas.find(hasData) ?? schemas[0];
}

interface ModuleFieldProps {
  readonly schemas: readonly YangSchema[];
  readonly chosen: YangSchema | undefined;
  readonly onChoose: (module: string) => void;
}

function ModuleField({ schemas, chosen, onChoose }: ModuleFieldProps): ReactNode {
  if (schemas.length < 2) return null;
  return (
    <SelectField
      label={text('module')}
      value={chosen?.module ?? ''}
      onChange={onChoose}
      options={schemas.map(({ module }) => ({ value: module, label: module }))}
    />
  );
}

interface ModuleNamesProps {
  readonly label: string;
  readonly names: readonly string[];
}

function ModuleNames({ label, names }: ModuleNamesProps): ReactNode {
  if (names.length === 0) return null;
  return (
    <p>
      {label}{' '}
      {names.map((name) => (
        <Tag key={name}>{name}</Tag>
      ))}
    </p>
  );
}
