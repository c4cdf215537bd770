import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { Capabilities } from './capabilities.js';
import { refused } from './replies.js';
import type { StreamQuery } from './stream-query.js';

/** Namespace of the operation and the message of RFC 5277. */
const NOTIFICATION = 'urn:ietf:params:xml:ns:netconf:notification:1.0';
/** Namespace of RFC 8639. */
export const SUBSCRIBED = 'urn:ietf:params:xml:ns:yang:ietf-subscribed-notifications';
const PUSH = 'urn:ietf:params:xml:ns:yang:ietf-yang-push';
const DATASTORES = 'urn:ietf:params:xml:ns:yang:ietf-datastores';

/** Modules in a hello that {@link subscriptionOperation} asks for. */
const SUBSCRIPTION_MODULES = ['ietf-yang-push', 'ietf-subscribed-notifications'];

/** Returns the capabilities that a subscription depends on. */
export function subscriptionCapabilities(capabilities: Capabilities): SubscriptionCapabilities {
  const { modules } = capabilities;
  return {
    hasNotification: capabilities.has('notification'),
    hasXpath: capabilities.has('xpath'),
    modules: SUBSCRIPTION_MODULES.filter((name) => modules.some((module) => module.name === name)),
  };
}

/** What a client subscribes to: an event stream, or the updates of a datastore of NMDA (RFC 8641). */
export type Subscribed = { readonly stream: string } | { readonly datastore: string };

/** Capabilities that a subscription depends on. */
interface SubscriptionCapabilities {
  readonly hasNotification: boolean;
  readonly hasXpath: boolean;
  /** Names of the modules in the hello that have to do with subscriptions. */
  readonly modules: readonly string[];
}

/** A subscription, and the capabilities of the server. */
export interface SubscriptionRequest {
  readonly subscribed: Subscribed;
  readonly query: StreamQuery;
  readonly capabilities: SubscriptionCapabilities;
}

/** What the operation of a subscription depends on. */
interface SubscriptionContext {
  readonly capabilities: SubscriptionCapabilities;
  readonly model: InstanceModel;
}

/**
 * Returns the operation of a subscription: `create-subscription` (RFC 5277), or `establish-subscription` (RFC 8639) for a datastore
 * and for a server that has nothing else. Throws RestconfFault with 501 for what the server does not have.
 */
export function subscriptionOperation(
  { subscribed, query, capabilities }: SubscriptionRequest,
  model: InstanceModel,
): XmlOutput {
  const context = { capabilities, model };
  if ('datastore' in subscribed) {
    if (!hasModule(context, 'ietf-yang-push'))
      throw refused(501, 'operation-not-supported', 'the server has no YANG-Push (RFC 8641)');
    return establish(pushTarget(subscribed.datastore, query, model), query);
  }
  if (capabilities.hasNotification) return create(subscribed.stream, query, context);
  if (!hasModule(context, 'ietf-subscribed-notifications'))
    throw refused(501, 'operation-not-supported', 'the server has no notifications (RFC 5277, RFC 8639)');
  const filter = query.filter;
  return establish(
    [
      element('stream', subscribed.stream),
      ...(filter === undefined
        ? []
        : [{ ...element('stream-xpath-filter', filter), ...prefixesOf(filter, model) }]),
    ],
    query,
  );
}

function hasModule({ capabilities, model }: SubscriptionContext, name: string): boolean {
  return capabilities.modules.includes(name) || model.moduleByName.has(name);
}

function element(name: string, content: string, namespace = SUBSCRIBED): XmlOutput {
  return { namespace, name, content };
}

function create(
  stream: string,
  { filter, startTime, stopTime }: StreamQuery,
  context: SubscriptionContext,
): XmlOutput {
  if (filter !== undefined && !context.capabilities.hasXpath)
    throw refused(
      501,
      'operation-not-supported',
      'the server has no filters in XPath (RFC 6241 section 8.9)',
    );
  const select: readonly XmlOutput[] =
    filter === undefined
      ? []
      : [
          {
            namespace: NOTIFICATION,
            name: 'filter',
            attributes: { type: 'xpath', select: filter },
            ...prefixesOf(filter, context.model),
          },
        ];
  return {
    namespace: NOTIFICATION,
    name: 'create-subscription',
    content: [
      element('stream', stream, NOTIFICATION),
      ...select,
      ...(startTime === undefined ? [] : [element('startTime', startTime, NOTIFICATION)]),
      ...(stopTime === undefined ? [] : [element('stopTime', stopTime, NOTIFICATION)]),
    ],
  };
}

function establish(
  target: readonly XmlOutput[],
  { startTime, stopTime, periodSeconds }: StreamQuery,
): XmlOutput {
  const isPush = target.some(({ namespace }) => namespace === PUSH);
  const centiseconds = String(Math.round((periodSeconds ?? 0) * 100));
  const period = { namespace: PUSH, name: 'periodic', content: [element('period', centiseconds, PUSH)] };
  const trigger = periodSeconds === undefined ? { namespace: PUSH, name: 'on-change' } : period;
  return {
    namespace: SUBSCRIBED,
    name: 'establish-subscription',
    content: [
      ...target,
      ...(startTime === undefined ? [] : [element('replay-start-time', startTime)]),
      ...(stopTime === undefined ? [] : [element('stop-time', stopTime)]),
      ...(isPush ? [trigger] : []),
    ],
  };
}

function pushTarget(datastore: string, { filter }: StreamQuery, model: InstanceModel): readonly XmlOutput[] {
  return [
    { ...element('datastore', `ds:${datastore}`, PUSH), prefixes: { ds: DATASTORES } },
    ...(filter === undefined
      ? []
      : [{ ...element('datastore-xpath-filter', filter, PUSH), ...prefixesOf(filter, model) }]),
  ];
}

/** Returns the namespaces of the modules that an expression names as prefixes (RFC 8040 section 4.8.4). */
function prefixesOf(filter: string, { moduleByName }: InstanceModel): Pick<XmlOutput, 'prefixes'> {
  const bare = filter.replaceAll(/"[^"]*"|'[^']*'/g, '');
  const names = [...bare.matchAll(/([A-Za-z_][\w.-]*):(?!:)/g)].map(([, name = '']) => name);
  return {
    prefixes: Object.fromEntries(
      [...new Set(names)].map((name) => {
        const module = moduleByName.get(name);
        if (!module)
          throw refused(400, 'invalid-value', `the filter names the module "${name}", which is unknown`);
        return [name, module.namespace];
      }),
    ),
  };
}

/** Returns true for the notification after which a subscription sends no other one. */
export function isLastNotification({ name }: { readonly name: string }): boolean {
  return LAST.has(name);
}

const LAST: ReadonlySet<string> = new Set([
  'notificationComplete',
  'subscription-completed',
  'subscription-terminated',
]);
