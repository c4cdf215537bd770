import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { Facts } from '../../kit/facts.js';
import { Read } from '../../kit/feedback.js';
import { formatAmount, formatSize, formatUptime } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { RawLinks } from '../../kit/copy.js';

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
      <Panel title="Process" actions={<RawLinks path="/health/server" />}>
        <Read query={server} what="the process">
          {(data) => <Facts facts={processFacts(data)} />}
        </Read>
      </Panel>
      <Panel title="Machine" actions={<RawLinks path="/health/system" />}>
        <Read query={system} what="the machine">
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
    Version: `${version} (${release})`,
    'Node.js': versions['node'],
    Platform: `${platform} ${arch}, process ${pid}`,
    Uptime: formatUptime(uptime * 1000),
    Memory: `${formatSize(rss)}; heap ${formatSize(heapUsed)} of ${formatSize(heapTotal)}`,
    'Processor time': formatUptime((cpuUsage.user + cpuUsage.system) / 1000),
  };
}

function machineFacts({ arch, release, uptime, freemem, totalmem, loadavg, cpus }: SystemHealth) {
  return {
    System: `${release} ${arch}`,
    Uptime: formatUptime(uptime * 1000),
    Memory: `${formatSize(freemem)} free of ${formatSize(totalmem)}`,
    Load: `${loadavg.map((one) => one.toFixed(2)).join(', ')} (1, 5, 15 min)`,
    Processors: `${formatAmount(cpus.length, 'core')}, ${cpus[0]?.model ?? ''}`,
  };
}
