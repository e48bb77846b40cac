import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MARK } from './mark.js';
import type { Answer } from './answer-reader.js';
import type { FuzzRequest } from './fuzz-request.js';

export function faultsOfAnswer(request: FuzzRequest, answer: Answer): string[] {
  return [...faultsOfStatus(answer), ...faultsOfForm(request, answer), ...leaksIn(request, answer)];
}

/** A limit may refuse with 503 and Retry-After. Such answers are counted separately. */
export const isRefusedByBound = ({ status, headers }: Answer): boolean => status === 503 && headers.has('retry-after');

function faultsOfStatus(answer: Answer): string[] {
  const { status } = answer;
  if (status >= 500 && !isRefusedByBound(answer)) return [`answers ${status}`];
  return status < 200 ? [`answers with status ${status}`] : [];
}

const MAX_PROBLEM_BYTES = 64 * 1024;

function faultsOfForm({ server }: FuzzRequest, { status, headers, body }: Answer): string[] {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) return faultsOfPage(headers);
  // A response to HEAD, or one with headers only.
  if (body === '') return status >= 400 && type === '' ? [`${status} is neither a problem nor a page`] : [];
  if (status < 400) return /json/.test(type) ? faultsOfJson(body) : [];
  if (body.length > MAX_PROBLEM_BYTES) return [`a problem of ${body.length} characters`];
  if (type.startsWith('application/problem+json')) return faultsOfProblem(status, body);
  const isOtherRefusal = type.startsWith('application/json') && (server === 'worker' || 'error' in objectIn(body));
  return isOtherRefusal ? [] : [`${status} is neither a problem nor a page, but “${type}”`];
}

const PAGE_HEADERS = [
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
  'cross-origin-opener-policy',
];

function faultsOfPage(headers: ReadonlyMap<string, string>): string[] {
  const missing = PAGE_HEADERS.filter((name) => !headers.has(name));
  return missing.length > 0 ? [`a page without ${missing.join(', ')}`] : [];
}

const faultsOfJson = (body: string): string[] => (parsed(body) === undefined ? ['is no JSON, but says so'] : []);

interface ProblemShape {
  readonly status?: unknown;
  readonly errors?: readonly { readonly field?: unknown }[];
}

const PROBLEM_TEXTS = ['type', 'title', 'detail', 'instance', 'request_id', 'error'] as const;
const MAX_FAULTS = 20;

function faultsOfProblem(status: number, body: string): string[] {
  const problem = objectIn(body);
  const { errors = [], status: told } = problem as ProblemShape;
  const missing = PROBLEM_TEXTS.filter((name) => typeof problem[name] !== 'string' || problem[name] === '');
  return [
    ...(missing.length > 0 ? [`a problem without ${missing.join(', ')}`] : []),
    ...(told === status ? [] : [`a problem that says ${String(told)} instead of ${status}`]),
    ...(errors.length > MAX_FAULTS ? [`a problem with ${errors.length} faults`] : []),
    ...(errors.every(({ field }) => typeof field === 'string' && field !== '') ? [] : ['a fault of no field']),
  ];
}

const objectIn = (body: string): Readonly<Record<string, unknown>> => {
  const value = parsed(body);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
};

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/dist\/$/, '/');

/** Texts that only internals contain. No request sends any of them. */
const INSIDE: readonly (readonly [string, RegExp])[] = [
  ['a stack', /\bat [^\n]{0,200}(?:file:\/\/|node:)[^\n]{0,200}:\d+:\d+/],
  [
    'SQL',
    /syntax error at or near|violates [a-z-]+ constraint|invalid input syntax for|invalid byte sequence|QueryFailedError/,
  ],
  ['a path of files', new RegExp([PROJECT, `${homedir()}/`, '/node_modules/'].map(literally).join('|'))],
  ['a secret', /\$argon2|postgres(?:ql)?:\/\/|redis:\/\//],
];

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function leaksIn(request: FuzzRequest, { headers, body }: Answer): string[] {
  const text = `${[...headers.values()].join('\n')}\n${body}`;
  // A response may repeat the text of the request.
  const foreign = [...text.matchAll(MARK)].find(([mark, of]) => of !== request.account && !says(request, mark));
  return [
    ...INSIDE.filter(([, pattern]) => pattern.test(text)).map(([what]) => `tells ${what}`),
    ...(foreign ? [`shows a record of another account: “${around(text, foreign.index)}”`] : []),
  ];
}

const around = (text: string, at: number): string => text.slice(Math.max(0, at - 100), at + 100);

/** In chunks or in one piece. */
const says = ({ wire }: FuzzRequest, mark: string): boolean =>
  Buffer.concat(wire.pieces)
    .toString('latin1')
    .replaceAll(/\r\n[\da-f]+(?:;[^\r\n]*)?\r\n/g, '')
    .includes(mark);
