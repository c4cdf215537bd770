import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { RawLinks } from '../../kit/copy.js';
import { Facts } from '../../kit/facts.js';
import { Read } from '../../kit/feedback.js';
import { formatUptime } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { formatSize, numberFormat } from '../../text/locale.js';
import { textOf } from '../../text/text.js';

const text = textOf('health');

/** Reply of `GET /health/server`. */
interface ServerHealth {
  readonly version: string;
  readonly release: string;
  readonly arch: string;
  readonly platform: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly memoryUsage: Readonly<Record<'rss' | 'heapTotal' | 'heapUsed' | 'external', number>>;
  readonly cpuUsage: { readonly user: number; readonly system: number };
  readonly uptime: number;
  readonly pid: number;
}

/** Reply of `GET /health/system`. */
interface SystemHealth {
  readonly arch: string;
  readonly release: string;
  readonly uptime: number;
  readonly freemem: number;
  readonly totalmem: number;
  readonly loadavg: readonly number[];
  readonly cpus: readonly { readonly model: string }[];
}

const READ_OPTIONS = { everyMs: 10_000 } as const;

/** Renders facts and resource usage of the process and its machine. */
export function Machine(): ReactNode {
  const server = useRead<ServerHealth>('/health/server', READ_OPTIONS);
  const system = useRead<SystemHealth>('/health/system', READ_OPTIONS);
  return (
    <div className="gh-columns">
      <Panel title={text('process')} actions={<RawLinks path="/health/server" />}>
        <Read query={server} what={text('loadingProcess')}>
          {(data) => <Facts facts={processFacts(data)} />}
        </Read>
      </Panel>
      <Panel title={text('machine')} actions={<RawLinks path="/health/system" />}>
        <Read query={system} what={text('loadingMachine')}>
          {(data) => <Facts facts={machineFacts(data)} />}
        </Read>
      </Panel>
    </div>
  );
}

function processFacts({
  version,
  release,
  versions,
  memoryUsage,
  cpuUsage,
  uptime,
  pid,
  platform,
  arch,
}: ServerHealth) {
  const { rss, heapUsed, heapTotal } = memoryUsage;
  return {
    [text('version')]: text('versionOf', { version, release }),
    'Node.js': versions['node'],
    [text('platform')]: text('platformOf', { platform, arch, pid: String(pid) }),
    [text('uptime')]: formatUptime(uptime * 1000),
    [text('memory')]: text('memoryOf', {
      rss: formatSize(rss),
      used: formatSize(heapUsed),
      total: formatSize(heapTotal),
    }),
    [text('processorTime')]: formatUptime((cpuUsage.user + cpuUsage.system) / 1000),
  };
}

function machineFacts({ arch, release, uptime, freemem, totalmem, loadavg, cpus }: SystemHealth) {
  return {
    [text('system')]: `${release} ${arch}`,
    [text('uptime')]: formatUptime(uptime * 1000),
    [text('memory')]: text('freeOf', { free: formatSize(freemem), total: formatSize(totalmem) }),
    [text('load')]: text('loadOf', {
      averages: loadavg
        .map((one) => numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(one))
        .join(', '),
    }),
    [text('processors')]: text('processorsOf', { count: cpus.length, model: cpus[0]?.model ?? '' }),
  };
}
