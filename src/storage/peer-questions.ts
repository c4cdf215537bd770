import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { PeerAnswers, PeerQuestions } from '../core/cluster-events.js';
import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { parseJson } from '../json/strict-json.js';
import type { Scheduler } from '../lib/clock.js';

/** Time that the other nodes have for their answers, in milliseconds. */
const ANSWER_TIMEOUT_MS = 1_500;

/** Maximum length of a question in bytes. PostgreSQL refuses a notification of 8,000 bytes. */
const MAX_QUESTION_BYTES = 2_000;

/** Length of the data in one notification, in characters of Base64. */
const PART_LENGTH = 7_000;

/** Maximum number of notifications of one answer. */
const MAX_PARTS = 64;

/** Maximum length of an answer in bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Maximum number of questions that wait for answers at a time. */
const MAX_OPEN_QUESTIONS = 16;

interface QuestionsDeps {
  readonly node: string;
  /** Sends notifications to all nodes, this one included, in their order. */
  readonly send: (payloads: readonly string[]) => Promise<void>;
  /** Returns the number of nodes that listen, this one included. */
  readonly countListeners: () => Promise<number>;
}

/** Questions between nodes, and the function that receives their notifications. */
export interface OpenPeerQuestions extends PeerQuestions {
  receive(payload: string): void;
  /** Notes that notifications may have been missed. */
  noteMissed(): void;
}

/** Functions that receive messages of other nodes. */
interface Handlers {
  readonly question?: (question: string) => string;
  readonly announcement?: (text: string) => void;
  readonly missed?: () => void;
}

interface OpenQuestion {
  /** Nodes that have received the question and whose answer has arrived, with this node. */
  readonly heard: Set<string>;
  readonly parts: Map<string, string[]>;
  readonly answers: string[];
  readonly onProgress: () => void;
}

/**
 * Creates the questions of a node. Questions and answers are notifications: nothing is stored, and a node that does not
 * listen does not answer.
 */
export function createPeerQuestions({ node, send, countListeners }: QuestionsDeps): OpenPeerQuestions {
  const open = new Map<string, OpenQuestion>();
  let listeners = 1;
  const handlers: Handlers = {};

  const answer = async (id: string, question: string): Promise<void> => {
    if (!handlers.question) return;
    const packed = gzipSync(handlers.question(question)).toString('base64');
    const parts = packed.match(new RegExp(`.{1,${PART_LENGTH}}`, 'g')) ?? [];
    if (parts.length > MAX_PARTS) return;
    await send(
      parts.map((data, part) => JSON.stringify({ answer: id, from: node, part, parts: parts.length, data })),
    );
  };

  return {
    onQuestion: (question) => void Object.assign(handlers, { question }),
    onAnnouncement: (announcement) => void Object.assign(handlers, { announcement }),
    onMissedAnnouncements: (missed) => void Object.assign(handlers, { missed }),
    noteMissed: () => handlers.missed?.(),
    announce: (text) => send([JSON.stringify({ announce: text, from: node })]),
    receive(payload) {
      const parsed = parseJson(Buffer.from(payload));
      if (!('value' in parsed) || !isJsonObject(parsed.value)) return;
      const message = parsed.value;
      const { ask, from, text, answer: id, announce } = message;
      if (typeof from !== 'string') return;
      if (typeof announce === 'string' && from !== node) handlers.announcement?.(announce);
      if (typeof ask === 'string' && typeof text === 'string') {
        if (from === node) noteEcho(open.get(ask), node);
        // An answer that is not sent counts as missing at the node that asked.
        else answer(ask, text).catch(() => undefined);
      } else if (typeof id === 'string') notePart(open.get(id), from, message);
    },
    async ask(text, scheduler) {
      try {
        listeners = await countListeners();
      } catch {
        // The database is away: the nodes that were there before cannot be asked.
        return { answers: [], silent: listeners - 1 };
      }
      const isAskable = Buffer.byteLength(JSON.stringify(text)) <= MAX_QUESTION_BYTES;
      if (listeners <= 1) return { answers: [], silent: 0 };
      if (!isAskable || open.size >= MAX_OPEN_QUESTIONS) return { answers: [], silent: listeners - 1 };
      const id = randomUUID();
      try {
        return await answersOf({ id, open, listeners, scheduler }, () =>
          send([JSON.stringify({ ask: id, from: node, text })]),
        );
      } catch {
        return { answers: [], silent: listeners - 1 };
      } finally {
        open.delete(id);
      }
    },
  };
}

interface Asking {
  readonly id: string;
  readonly open: Map<string, OpenQuestion>;
  /** Number of nodes that should receive the question, this one included. */
  readonly listeners: number;
  readonly scheduler: Scheduler;
}

/** Sends a question, and waits until every node has answered or the time is over. */
async function answersOf(
  { id, open, listeners, scheduler }: Asking,
  send: () => Promise<void>,
): Promise<PeerAnswers> {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const question: OpenQuestion = {
    heard: new Set(),
    parts: new Map(),
    answers: [],
    onProgress: () => {
      if (question.heard.size >= listeners) finish();
    },
  };
  open.set(id, question);
  const cancelTimer = scheduler.after(ANSWER_TIMEOUT_MS, finish);
  try {
    await send();
    await finished;
  } finally {
    cancelTimer();
  }
  return { answers: question.answers, silent: Math.max(0, listeners - question.heard.size) };
}

function noteEcho(question: OpenQuestion | undefined, node: string): void {
  question?.heard.add(node);
  question?.onProgress();
}

/** Notes a part of an answer. The parts of a node arrive in their order. */
function notePart(question: OpenQuestion | undefined, from: string, message: JsonObject): void {
  const { part, parts, data } = message;
  if (!question || typeof parts !== 'number' || typeof data !== 'string') return;
  const received = question.parts.get(from) ?? [];
  if (part !== received.length || parts > MAX_PARTS) return;
  question.parts.set(from, [...received, data]);
  if (received.length + 1 < parts) return;
  try {
    const bytes = Buffer.from([...received, data].join(''), 'base64');
    const text = gunzipSync(bytes, { maxOutputLength: MAX_ANSWER_BYTES }).toString();
    question.answers.push(text);
    question.heard.add(from);
    question.onProgress();
  } catch {
    // The node counts as one that did not answer.
  }
}
